import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { InIsland, island } from "./island.tsx";
import { readProps, writeProps } from "./island-props.ts";

/** The attributes of the first island in `html`, decoded. */
function islandIn(html: string) {
  const [tag = ""] = /<site-island[^>]*>/.exec(html) ?? [];
  const attribute = (name: string) =>
    new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&quot;", '"').replaceAll("&lt;", "<");
  return { name: attribute("name"), wakes: attribute("data-wakes"), props: attribute("data-props") ?? "" };
}

const Greeting = island("close-form", ({ to, on }: { to: string; on: Date }) => (
  <p>
    Hello {to}, {on.getUTCFullYear()}
  </p>
));

describe("P8 islands", () => {
  test("P8 the page has the component's HTML, with the props beside it", () => {
    const props = { to: 'Ada "the </site-island> first"', on: new Date("2028-02-29T12:00:00Z") };
    const html = renderToString(<Greeting {...props} />);
    expect(html).toContain("Hello ");
    const { name, wakes, props: written } = islandIn(html);
    expect({ name, wakes }).toEqual({ name: "close-form", wakes: "painted" });
    expect(readProps(written.replaceAll("&gt;", ">"))).toEqual(props);
  });

  test("P8 an island inside an island is an ordinary component of it", () => {
    const html = renderToStaticMarkup(
      <InIsland>
        <Greeting to="Ada" on={new Date(0)} />
      </InIsland>,
    );
    expect(html).toBe("<p>Hello Ada, 1970</p>");
  });

  test("P8 children stay HTML of the server, and islands among them stay islands", () => {
    const Box = island("close-form", ({ children }: { children: React.ReactNode }) => <div>{children}</div>);
    const html = renderToStaticMarkup(
      <Box>
        <Greeting to="Ada" on={new Date(0)} />
      </Box>,
    );
    expect(html.match(/<site-island/g)).toHaveLength(2);
    expect(html).toMatch(/<div><site-slot><site-island/);
    expect(islandIn(html).props).toBe("{}");
  });

  test("P8 props are plain data and dates, at any depth", () => {
    const props = { list: [{ at: new Date(5), none: null, text: "2026-11-22T00:00:00.000Z" }], on: true };
    expect(readProps(writeProps(props))).toEqual(props);
  });

  test("P8 functions cannot be props of an island on a page: the types refuse them", () => {
    const Button = island("close-form", ({ onPress }: { onPress: () => void }) => (
      <button type="button" onClick={onPress}>
        Press
      </button>
    ));
    // @ts-expect-error -- a function cannot be written into a page
    expect(<Button onPress={() => {}} />).toBeTruthy();
  });
});
