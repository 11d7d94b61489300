import { expect, test } from "vitest";
import { plainPage } from "./plain-page.ts";

test("S1 Z5 title, text and link of a plain page are escaped", async () => {
  const word = (place: string) => `${place}<b>&"'`;
  const page = {
    status: 404,
    title: word("title"),
    text: word("text"),
    link: { href: word("/href"), label: word("label") },
  };
  const html = await plainPage(page).text();
  for (const [place, times] of [
    ["title", 2],
    ["text", 1],
    ["/href", 1],
    ["label", 1],
  ] as const)
    expect(html.split(`${place}&lt;b&gt;&amp;&quot;&#39;`)).toHaveLength(times + 1);
  expect(html).not.toContain("<b>");
});
