import { insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { loadSite, openClub, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
beforeAll(async () => {
  club = await openClub(db);
  for (let number = 1; number <= 70; number += 1)
    await insertRetailer(db, { name: `Pebblewick ${number}`, brandIds: [club.brand.id] });
  await indexCatalogue(db, { now: NOW });
});
const read = async (path: string) => (await club.get(path)).text();

test("D2 a short name that is not here is not replaced by another word: the page asks, by a link, also where filters are set", async () => {
  await insertRetailer(db, { name: "Nine Pines", brandIds: [club.brand.id] });
  await indexCatalogue(db, { now: NOW });
  for (const path of ["/search?q=nike", "/search?q=nike&kind=code"]) {
    const html = await read(path);
    expect(textOf(html)).toContain("Nothing found for “nike” Did you mean nine");
    expect(html).toContain('<a href="/search?q=nine">nine</a>');
    expect(textOf(html)).not.toContain("Showing results for");
    expect(textOf(html)).not.toContain("fits what you chose");
  }
  expect(textOf(await read("/search?q=nine"))).toContain("Nine Pines");
  expect(textOf(await read("/search?q=zzz"))).not.toContain("Did you mean");
});

test("D2 every retailer of a search can be reached: the part for retailers has pages", async () => {
  const first = await read("/search?q=pebblewick&show=retailers");
  expect(textOf(first)).toContain("Retailers 70");
  expect(first).toContain('href="/search?q=pebblewick&amp;show=retailers&amp;page=2"');
  const second = await read("/search?q=pebblewick&show=retailers&page=2");
  expect(textOf(second)).toContain("Page 2 of 2");
  expect(textOf(second)).toContain("Retailers 70");
  const shops = (html: string) => [...html.matchAll(/href="\/retailers\/(pebblewick-\d+)"/g)].map(([, slug]) => slug);
  expect(new Set([...shops(first), ...shops(second)]).size).toBe(70);
  expect(textOf(await read("/search?q=pebblewick"))).toContain("More retailers");
});
