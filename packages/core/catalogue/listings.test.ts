import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, it } from "vitest";
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
import { kindSchema, leastRateSchema } from "./schema.ts";

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

const none: OfferFilter = { kind: null, category: null, leastBp: null };
const titles = (offers: readonly { title: string }[] = []) => offers.map(({ title }) => title);

describe("a category, narrowed (D4, D5)", () => {
  const page = (filter: Partial<OfferFilter> = {}, now = NOW) =>
    findCategoryPage(db, { brandId, now, slug: tents.slug, sort: "popular", page: 1, ...filter });

  it("D5 a kind shows only its own, and the counts still tell of the others", async () => {
    const codes = await page({ kind: "code" });
    expect(titles(codes?.offers)).toEqual(["Canvas code", "Canvas code two", "Canvas peg code"]);
    expect(codes?.total).toBe(3);
    expect(codes?.kinds).toEqual({ code: 3, deal: 1, cashback: 1 });
    expect(await page({ kind: "gift_card" })).toMatchObject({ total: 0, pageCount: 1, offers: [], kinds: { code: 3 } });
  });

  it("D5 a rate shows what shops offer that pay as much now, a boost included while it holds", async () => {
    expect(titles((await page({ leastBp: 500 }))?.offers)).toEqual(["Canvas cashback", "Canvas peg code"]);
    expect(titles((await page({ leastBp: 500 }, daysFromNow(2)))?.offers)).toEqual(["Canvas cashback"]);
    const both = await page({ leastBp: 500, kind: "code" });
    expect(titles(both?.offers)).toEqual(["Canvas peg code"]);
    expect(both?.kinds).toEqual({ code: 1, cashback: 1 });
  });
});

describe("search, narrowed (D2, D5)", () => {
  const find = (filter: Partial<OfferFilter> = {}) =>
    searchCatalogue(db, {
      brandId,
      now: NOW,
      query: "canvas",
      sort: "popular",
      page: 1,
      filter: { ...none, ...filter },
    });

  it("D5 by kind, by category, by rate, and by all of them", async () => {
    expect(await find()).toMatchObject({ total: 6, kinds: { code: 3, deal: 1, cashback: 1, in_store: 1 } });
    const codes = await find({ kind: "code" });
    expect(titles(codes.offers)).toEqual(["Canvas code", "Canvas code two", "Canvas peg code"]);
    expect(codes).toMatchObject({ total: 3, kinds: { code: 3, deal: 1 } });
    expect(titles((await find({ category: stoves.slug })).offers)).toEqual(["Canvas burner"]);
    expect(titles((await find({ leastBp: 1_000 })).offers)).toEqual(["Canvas peg code"]);
    expect((await find({ category: stoves.slug, kind: "code" })).total).toBe(0);
  });

  it("D2 where a filter leaves nothing, no other words are searched for instead", async () => {
    expect(await find({ kind: "gift_card" })).toMatchObject({
      total: 0,
      offers: [],
      corrected: null,
      kinds: { code: 3 },
    });
  });

  it("D2 D5 among more matches than are counted, those of a kind are still found, counted and paged", async () => {
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

describe("the A to Z, narrowed (D3)", () => {
  const list = (filter: Partial<OfferFilter> = {}, more = {}) =>
    findRetailersAToZ(db, { brandId, now: NOW, filter: { ...none, ...filter }, ...more });

  it("D3 letters count what the filter leaves; accents and digits find their letter", async () => {
    expect((await list()).letters).toEqual([
      { letter: "0", retailers: 1 },
      { letter: "a", retailers: 1 },
      { letter: "e", retailers: 1 },
    ]);
    const stovesOnly = await list({ category: stoves.slug });
    expect(stovesOnly.retailers.map(({ name }) => name)).toEqual(["Élan Outdoors"]);
    expect(stovesOnly.letters).toEqual([{ letter: "e", retailers: 1 }]);
    expect((await list({ kind: "in_store" })).retailers.map(({ name }) => name)).toEqual(["Élan Outdoors"]);
    expect((await list({ leastBp: 500 })).retailers.map(({ name }) => name)).toEqual(["7 Pegs", "Élan Outdoors"]);
    expect((await list({ category: "no-such" })).total).toBe(0);
  });

  it("D3 a page beyond the last shows the last", async () => {
    expect(await list({}, { page: 9 })).toMatchObject({ page: 1, pageCount: 1, total: 3 });
  });
});

it("D1 a home page leads with the best of the categories that matter to its members, each shop once", async () => {
  const home = await findHomePage(db, { brandId, now: NOW, leadCategories: [tents.slug] });
  expect(titles(home.lead)).toEqual(["Canvas code", "Canvas cashback", "Canvas peg code"]);
  expect((await findHomePage(db, { brandId, now: NOW })).lead).toEqual([]);
});

it("D5 what an address asks for wrongly narrows nothing", () => {
  expect(kindSchema.parse("in-store")).toBe("in_store");
  for (const wrong of ["IN STORE", "'; drop table offers", "", null]) expect(kindSchema.parse(wrong)).toBeNull();
  expect(leastRateSchema.parse("5")).toBe(500);
  for (const wrong of ["3", "-5", "5%", "1e1", null]) expect(leastRateSchema.parse(wrong)).toBeNull();
});
