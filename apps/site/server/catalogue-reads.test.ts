import { insertCategory, insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { cachedReads, directReads } from "./catalogue-reads.ts";

const { db } = await testDatabase();

const network = await insertNetwork(db);
const category = await insertCategory(db, "Tents");
const [ours, theirs] = [await insertBrand(db), await insertBrand(db)];
const retailer = await insertRetailer(db, { brandIds: [ours.id], categoryIds: [category.id] });
const addOffer = (title: string) =>
  insertOffer(db, { networkId: network.id, retailerId: retailer.id, title, categoryIds: [category.id] });
await addOffer("A tent for two");

const clock = { ms: 1 };
const tents = (brandId: string) => ({
  brandId,
  now: NOW,
  slug: category.slug,
  sort: "popular" as const,
  page: 1,
});

test("B4 P1 each brand has its own results, and changes are visible after five seconds, or when the reads are cleared", async () => {
  const reads = cachedReads(db, { clock: () => clock.ms });
  expect((await reads.findCategoryPage(tents(ours.id)))?.total).toBe(1);
  expect((await reads.findCategoryPage(tents(theirs.id)))?.total).toBe(0);
  await addOffer("A tent for four");
  expect((await directReads(db).findCategoryPage(tents(ours.id)))?.total).toBe(2);
  clock.ms = 4_000;
  expect((await reads.findCategoryPage(tents(ours.id)))?.total).toBe(1);
  clock.ms = 5_002;
  expect((await reads.findCategoryPage(tents(ours.id)))?.total).toBe(2);
  await addOffer("A tent for six");
  reads.clear();
  expect((await reads.findCategoryPage(tents(ours.id)))?.total).toBe(3);
});

test("P1 another page, sort order or query text is cached separately", async () => {
  const reads = cachedReads(db);
  const ask = { brandId: ours.id, now: NOW, sort: "relevance" as const, page: 1 };
  expect((await reads.searchCatalogue({ ...ask, query: "tent" })).query).toBe("tent");
  expect((await reads.searchCatalogue({ ...ask, query: "boots" })).query).toBe("boots");
  expect((await reads.searchCatalogue({ ...ask, query: "tent", sort: "newest" })).sort).toBe("newest");
  const home = await reads.findHomePage({ brandId: ours.id, now: NOW });
  expect(home.latest.length).toBeGreaterThan(0);
});
