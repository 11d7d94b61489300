import fc from "fast-check";
import { matchRoutes, type RouteObject } from "react-router";
import { describe, expect, test, vi } from "vitest";
import routes from "../app/routes.ts";
import { factsOf, pageEntries, type PagePath } from "../pages.ts";
import { canonicalAddress, readParameters } from "./page-parameters.ts";

const pages = pageEntries.map(([path]) => path).filter((path) => path !== "/*");
const parametersOf = (path: PagePath) => Object.keys(factsOf(path).parameters ?? {});
const entries = routes.flatMap((entry) => entry.children ?? [entry]);
const router: RouteObject[] = entries.map((entry) =>
  entry.index ? { index: true, id: "/" } : { path: entry.path ?? "", id: `/${entry.path}` },
);

/** Returns the page that the router finds at a path, and its route parameters. */
function routed(address: string) {
  const match = matchRoutes(router, address.split("?", 1)[0] ?? "")?.at(-1);
  return match && match.route.id !== "/*" ? { id: match.route.id, params: { ...match.params } } : null;
}

const letters = fc.constantFrom(..."abzAZ019-_.%/ &=+#é\u0000\uD800'\"<");
const value = fc.oneof(
  fc.constantFrom(
    "",
    "newest",
    "popular",
    "in-store",
    "in_store",
    "shoes",
    "5",
    "05",
    "1",
    "2",
    "500",
    "501",
    "b",
    "B",
    "code",
    "yes",
    "offers",
  ),
  fc.array(letters, { maxLength: 12 }).map((all) => all.join("")),
);
const names = [...new Set(pages.flatMap(parametersOf))];
const query = fc
  .array(fc.tuple(fc.constantFrom(...names, "utm_source", "x", "Q", "__proto__", "constructor"), value), {
    maxLength: 8,
  })
  .map((pairs) =>
    new URLSearchParams(pairs.map(([name, text]): [string, string] => [name, text.toWellFormed()])).toString(),
  );
/** Page addresses as an attacker may write them: with other case, escapes and slashes. */
const pathname = fc
  .tuple(fc.constantFrom(...pages), fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }), fc.nat(3))
  .map(([path, [first = 0, second = 0, third = 0], slashes]) => {
    const filled = path.replaceAll(
      /:\w+\??/g,
      () => ["boots", "Boots", "o-fell", "a%20b", "%62oots", "%2F", "a.b", "é", "x%", "A1"][first] ?? "x",
    );
    const cased = second > 6 ? filled.toUpperCase() : filled;
    const escaped = third > 6 ? cased.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`) : cased;
    return escaped + "/".repeat(slashes);
  });

describe("S1 the canonical address of a page", () => {
  test("S1 the router has every page of pages.ts and no other", () => {
    expect(new Set(router.map(({ id }) => id))).toEqual(new Set(pageEntries.map(([path]) => path)));
  });

  test("S1 parameters that a page does not read are dropped, whatever their names and number", () => {
    expect(canonicalAddress("/?utm_source=mail")).toBe("/");
    expect(canonicalAddress("/retailers/boots?x=1&page=2&y=2")).toBe("/retailers/boots?page=2");
    expect(canonicalAddress("/legal/terms?q=1")).toBe("/legal/terms");
    expect(canonicalAddress("/nothing/here?q=1")).toBe("/nothing/here");
    expect(canonicalAddress(`/search?${Array.from({ length: 10_000 }, (_, at) => `p${at}=${at}`).join("&")}`)).toBe(
      "/search",
    );
    expect(canonicalAddress("/search.data?q=boots&_routes=root")).toBe("/search.data?q=boots");
    expect(canonicalAddress("/_.data?_routes=root&x")).toBe("/_.data");
  });

  test("S1 order, repetition, spelling and meaningless values do not change the address", () => {
    expect(canonicalAddress("/search?page=2&q=red%20boots&q=other&sort=sideways&kind=")).toBe(
      "/search?q=red+boots&page=2",
    );
    expect(canonicalAddress("/search?q=%20red%20%20boots%00&sort=relevance&page=1")).toBe("/search?q=red+boots");
    expect(canonicalAddress("/SEARCH//?q=a")).toBe("/search?q=a");
    expect(canonicalAddress("/%73earch?q=a")).toBe("/search?q=a");
    expect(canonicalAddress("///")).toBe("/");
  });

  test("Y5 S1 the parameters that a page reads are kept: tokens, ids, where to go next", () => {
    for (const address of [
      "/offers/a-b?offer=AbC123&offer_variant=x&reveal_code=to.ken",
      "/login?next=%2Foffers%2Fa%3Foffer%3D1&note=signed-out",
      "/reset-password?token=A_b-9",
      "/check?c=K7Q29MXA4TBD",
    ])
      expect(canonicalAddress(address)).toBe(address);
  });

  test("S1 anything that is not a path is left unchanged", () => {
    for (const address of ["http://two.test/?x=1", "/plain#x", "/?a=1#x", "*", ""])
      expect(canonicalAddress(address)).toBe(address);
  });

  test("S1 an address takes time in proportion to its length, however it is built", () => {
    // Ten times the longest request line. In quadratic time this would take minutes.
    const many = (text: string) => text.repeat(640_000 / text.length);
    for (const address of [
      `/retailers${many("/")}x`,
      `/${many("%2F")}?q=a`,
      `/faq${many("/a")}`,
      `/search?q=a${many("+")}b`,
      `/?${many("a=&")}`,
    ])
      expect(typeof canonicalAddress(address)).toBe("string");
    expect(canonicalAddress(`/search${many("/")}`)).toBe("/search");
  });

  test("S1 the router finds the same page with the same slug at the canonical address, and the page reads the same from it", () => {
    // The router warns of each invalid escape.
    vi.spyOn(console, "warn").mockImplementation(() => {});
    let pagesFound = 0;
    fc.assert(
      fc.property(pathname, query, (path, search) => {
        const raw = `${path}?${search}`;
        const canonical = canonicalAddress(raw);
        expect(canonicalAddress(canonical)).toBe(canonical);
        const page = routed(raw);
        expect(routed(canonical)).toEqual(page);
        if (page === null) return;
        pagesFound += 1;
        const id = page.id as PagePath;
        const parametersAt = (address: string) => readParameters({ url: `http://one.test${address}` }, id);
        expect(parametersAt(canonical)).toEqual(parametersAt(raw));
        const left = new URL(`http://one.test${canonical}`).searchParams;
        expect(parametersOf(id)).toEqual(expect.arrayContaining([...left.keys()]));
        expect(new Set(left.keys()).size).toBe(left.size);
      }),
      { numRuns: 2_000 },
    );
    expect(pagesFound).toBeGreaterThan(500);
  });
});
