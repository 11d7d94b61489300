import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { findCard, findCardCategory, listCardCategories, listPopularCards, searchCards } from "./catalogue.server.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

const { db } = await testDatabase();
const now = () => new Date("2026-11-20T10:00:00Z");
const names = ["Fernhollow Boots", "Café Otter’s", "Boot Barn", "Lanternlight Books", "Fernhollow Boots"];
const issuer = memoryIssuer(
  names.map((name, index) => product(`p${index}`, { name })),
  now,
).issuer;

beforeAll(async () => {
  const shoes = newId();
  const retailer = newId();
  await db.insertInto("categories").values({ id: shoes, slug: "shoes", name: "Shoes and bags", position: 1 }).execute();
  await db
    .insertInto("retailers")
    .values({
      ...{ id: retailer, slug: "fernhollow", name: "Fernhollow Boots", homepage_url: "https://fernhollow.example" },
      ...{ popularity: 90, tracks_within_days_min: 1, tracks_within_days_max: 3 },
      ...{ confirms_within_days_min: 35, confirms_within_days_max: 75 },
    })
    .execute();
  await db
    .insertInto("retailer_categories")
    .values({ retailer_id: retailer, category_id: shoes, is_main: true })
    .execute();
  await syncCatalogue(db, issuer, { now: now() });
});

const found = async (query: string) => (await searchCards(db, { query })).map(({ name }) => name);

test("G2 a product gets a readable address from its name, a second of the same name another, and keeps it", async () => {
  const slugs = async () =>
    (await db.selectFrom("gift_card_products").select(["issuer_product_id as id", "slug"]).orderBy("id").execute()).map(
      ({ id, slug }) => [id, slug],
    );
  const before = await slugs();
  const readable = before.map(([, slug]) => slug).filter((slug) => !/^[0-9a-f]{8}-/.test(slug ?? ""));
  expect(new Set(readable)).toEqual(new Set(["boot-barn", "cafe-otters", "fernhollow-boots", "lanternlight-books"]));
  await db.updateTable("gift_card_products").set({ name: "Boot Palace" }).where("slug", "=", "boot-barn").execute();
  await syncCatalogue(db, issuer, { now: now() });
  expect(await slugs()).toEqual(before);
});

test("G2 search finds words within names, categories and near misspellings, the closest first", async () => {
  expect(await found("boot")).toContain("Boot Barn");
  expect((await found("boot"))[0]).toBe("Boot Barn");
  expect(await found("cafe otters")).toEqual(["Café Otter’s"]);
  expect((await found("fernholow bots"))[0]).toBe("Fernhollow Boots");
  expect(await found("lanternlite")).toEqual(["Lanternlight Books"]);
  expect(await found("shoes")).toEqual(["Fernhollow Boots", "Fernhollow Boots"]);
  for (const nothing of ["", "%", "_", "'", "qqqxz", "\\"]) expect(await found(nothing), nothing).toEqual([]);
});

test("G2 categories have what is sold in them, and a category without cards is none", async () => {
  expect(await listCardCategories(db)).toEqual([{ slug: "shoes", name: "Shoes and bags", cards: 2 }]);
  expect((await findCardCategory(db, { slug: "shoes" }))?.cards.map(({ name }) => name)).toEqual([
    "Fernhollow Boots",
    "Fernhollow Boots",
  ]);
  expect(await findCardCategory(db, { slug: "none" })).toBeNull();
});

test("G2 what is not sold is in no list, and its page says so", async () => {
  await db
    .updateTable("gift_card_products")
    .set({ stopped_at: now(), stopped_because: "insolvent" })
    .where("slug", "=", "lanternlight-books")
    .execute();
  expect(await found("lanternlight")).toEqual([]);
  const popular = (await listPopularCards(db, { max: 10 })).map(({ name }) => name);
  expect(popular).not.toContain("Lanternlight Books");
  expect(popular[0]).toBe("Fernhollow Boots");
  expect(await findCard(db, { slug: "lanternlight-books" })).toMatchObject({ isSold: false });
  expect(await findCard(db, { slug: "fernhollow-boots" })).toMatchObject({
    isSold: true,
    retailerSlug: "fernhollow",
    category: { slug: "shoes" },
  });
  expect(await findCard(db, { slug: "none" })).toBeNull();
});
