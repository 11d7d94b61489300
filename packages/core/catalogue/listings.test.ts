import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { indexCatalogue } from "../search/index-catalogue.server.ts";
import { searchCatalogue } from "../search/queries.server.ts";
import {
  daysFromNow,
  insertBoost,
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "./catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import type { OfferFilter, OfferKind } from "./catalogue-view.ts";
import { findCategoryPage } from "./categories/queries.server.ts";
import { findHomePage } from "./home/queries.server.ts";
import { findRetailersAToZ } from "./retailers/queries.server.ts";
import { kindSchema, minRateSchema } from "./schema.ts";

const { db } = await testDatabase();

let brandId: string;
let networkId: string;
let tents: { id: string; slug: string };
let stoves: { id: string; slug: string };

/** A shop in `categoryIds` that pays `bp`, or `boostBp` as long as its boost holds. */
async function openShop(name: string, categoryIds: string[], bp: number, boostBp?: number) {
  const retailer = await insertRetailer(db, { name, brandIds: [brandId], categoryIds });
  const { id: programmeId } = await insertProgramme(db, { networkId, retailerId: retailer.id });
  const { id: rateTierId } = await insertRateTier(db, { programmeId, bp });
  if (boostBp !== undefined)
    await insertBoost(db, { rateTierId, bp: boostBp, startsAt: daysFromNow(-1), endsAt: daysFromNow(1) });
  return { ...retailer, programmeId };
}

beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db)).id;
  tents = await insertCategory(db, "Tents");
  stoves = await insertCategory(db, "Stoves");
  const low = await openShop("Aldercamp", [tents.id], 200);
  const high = await openShop("Élan Outdoors", [tents.id, stoves.id], 600);
  const boosted = await openShop("7 Pegs", [tents.id], 300, 1_000);
  const add = (shop: { id: string }, kind: OfferKind, title: string, categoryIds: string[], popularity: number) =>
    insertOffer(db, { networkId, retailerId: shop.id, kind, title, categoryIds, popularity });
  await add(low, "code", "Canvas code", [tents.id], 50);
  await add(low, "code", "Canvas code two", [tents.id], 40);
  await add(low, "deal", "Canvas deal", [tents.id], 30);
  await add(high, "cashback", "Canvas cashback", [tents.id], 20);
  await add(high, "in_store", "Canvas burner", [stoves.id], 10);
  await add(boosted, "code", "Canvas peg code", [tents.id], 5);
  await indexCatalogue(db, { now: NOW });
});

const none: OfferFilter = { kind: null, category: null, minBp: null };
const titles = (offers: readonly { title: string }[] = []) => offers.map(({ title }) => title);

describe("a filtered category (D4, D5)", () => {
  const page = (filter: Partial<OfferFilter> = {}, now = NOW) =>
    findCategoryPage(db, { brandId, now, slug: tents.slug, sort: "popular", page: 1, ...filter });

  test("D5 a filter by kind shows that kind only, and the counts include the others", async () => {
    const codes = await page({ kind: "code" });
    expect(titles(codes?.offers)).toEqual(["Canvas code", "Canvas code two", "Canvas peg code"]);
    expect(codes?.total).toBe(3);
    expect(codes?.kinds).toEqual({ code: 3, deal: 1, cashback: 1 });
    expect(await page({ kind: "gift_card" })).toMatchObject({ total: 0, pageCount: 1, offers: [], kinds: { code: 3 } });
  });

  test("D5 a minimum rate shows offers of shops that pay it now, boosts included", async () => {
    expect(titles((await page({ minBp: 500 }))?.offers)).toEqual(["Canvas cashback", "Canvas peg code"]);
    expect(titles((await page({ minBp: 500 }, daysFromNow(2)))?.offers)).toEqual(["Canvas cashback"]);
    const both = await page({ minBp: 500, kind: "code" });
    expect(titles(both?.offers)).toEqual(["Canvas peg code"]);
    expect(both?.kinds).toEqual({ code: 1, cashback: 1 });
  });
});

describe("a filtered search (D2, D5)", () => {
  const find = (filter: Partial<OfferFilter> = {}) =>
    searchCatalogue(db, {
      brandId,
      now: NOW,
      query: "canvas",
      sort: "popular",
      page: 1,
      filter: { ...none, ...filter },
    });

  test("D5 search filters by kind, by category, by rate, and by all of them", async () => {
    expect(await find()).toMatchObject({ total: 6, kinds: { code: 3, deal: 1, cashback: 1, in_store: 1 } });
    const codes = await find({ kind: "code" });
    expect(titles(codes.offers)).toEqual(["Canvas code", "Canvas code two", "Canvas peg code"]);
    expect(codes).toMatchObject({ total: 3, kinds: { code: 3, deal: 1 } });
    expect(titles((await find({ category: stoves.slug })).offers)).toEqual(["Canvas burner"]);
    expect(titles((await find({ minBp: 1_000 })).offers)).toEqual(["Canvas peg code"]);
    expect((await find({ category: stoves.slug, kind: "code" })).total).toBe(0);
  });

  test("D2 a filter without matches does not widen the words", async () => {
    expect(await find({ kind: "gift_card" })).toMatchObject({
      total: 0,
      offers: [],
      corrected: null,
      leftOut: [],
      kinds: { code: 3 },
    });
  });

  test("D2 D5 with more matches than are counted, those of one kind are still found, counted and paged", async () => {
    const { id: crowdBrand } = await insertBrand(db);
    const shop = await insertRetailer(db, { brandIds: [crowdBrand] });
    for (let number = 0; number < 520; number += 1) {
      const kind = number % 20 === 0 ? "deal" : "code";
      await insertOffer(db, { networkId, retailerId: shop.id, kind, title: `Hammock ${number}`, popularity: number });
    }
    await indexCatalogue(db, { now: NOW });
    const ask = (kind: OfferKind | null, page = 1) =>
      searchCatalogue(db, {
        brandId: crowdBrand,
        now: NOW,
        query: "hammock",
        sort: "popular",
        page,
        filter: { ...none, kind },
      });
    expect(await ask(null)).toMatchObject({ total: 500, totalIsMinimum: true, kinds: null });
    const deals = await ask("deal");
    expect(deals).toMatchObject({ total: 26, totalIsMinimum: false, pageCount: 2 });
    expect(deals.offers[0]?.title).toBe("Hammock 500");
    expect((await ask("deal", 2)).offers).toHaveLength(2);
    expect(await ask("gift_card")).toMatchObject({ total: 0, offers: [] });
    expect((await ask("code")).offers.every(({ kind }) => kind === "code")).toBe(true);
  });
});

describe("the filtered A to Z (D3)", () => {
  const list = (filter: Partial<OfferFilter> = {}, more = {}) =>
    findRetailersAToZ(db, { brandId, now: NOW, filter: { ...none, ...filter }, ...more });

  test("D3 letters count filtered retailers; accents are ignored, and digits are under 0", async () => {
    expect((await list()).letters).toEqual([
      { letter: "0", retailers: 1 },
      { letter: "a", retailers: 1 },
      { letter: "e", retailers: 1 },
    ]);
    const stovesOnly = await list({ category: stoves.slug });
    expect(stovesOnly.retailers.map(({ name }) => name)).toEqual(["Élan Outdoors"]);
    expect(stovesOnly.letters).toEqual([{ letter: "e", retailers: 1 }]);
    expect((await list({ kind: "in_store" })).retailers.map(({ name }) => name)).toEqual(["Élan Outdoors"]);
    expect((await list({ minBp: 500 })).retailers.map(({ name }) => name)).toEqual(["7 Pegs", "Élan Outdoors"]);
    expect((await list({ category: "no-such" })).total).toBe(0);
  });

  test("D3 a page beyond the last returns the last", async () => {
    expect(await list({}, { page: 9 })).toMatchObject({ page: 1, pageCount: 1, total: 3 });
  });
});

test("D1 a home page leads with the most popular offers of its lead categories, one per shop", async () => {
  const home = await findHomePage(db, { brandId, now: NOW, leadCategories: [tents.slug] });
  expect(titles(home.lead)).toEqual(["Canvas code", "Canvas cashback", "Canvas peg code"]);
  expect((await findHomePage(db, { brandId, now: NOW })).lead).toEqual([]);
});

test("D5 an invalid filter in the URL does not filter", () => {
  expect(kindSchema.parse("in-store")).toBe("in_store");
  for (const wrong of ["IN STORE", "'; drop table offers", "", null]) expect(kindSchema.parse(wrong)).toBeNull();
  expect(minRateSchema.parse("5")).toBe(500);
  for (const wrong of ["3", "-5", "5%", "1e1", null]) expect(minRateSchema.parse(wrong)).toBeNull();
});
