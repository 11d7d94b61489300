import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { indexCatalogue } from "../search/index-catalogue.server.ts";
import {
  daysFromNow,
  insertBoost,
  insertCategory,
  insertCode,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  insertVariant,
  NOW,
} from "./catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { listOfferCards } from "./offers/offer-cards.server.ts";
import { findCategoryPage, listCategories } from "./categories/queries.server.ts";
import { findHomePage } from "./home/queries.server.ts";
import { findOfferPage } from "./offers/queries.server.ts";
import { findRetailerPage, findRetailersAToZ } from "./retailers/queries.server.ts";

const { db } = await testDatabase();

let ours: string;
let theirs: string;
let networkId: string;
let shoes: { id: string; slug: string };
let boots: { id: string; slug: string };
let programmeId: string;

beforeAll(async () => {
  ours = (await insertBrand(db, { hasApp: true })).id;
  theirs = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db)).id;
  shoes = await insertCategory(db, "Shoes & bags");
  boots = await insertRetailer(db, {
    name: "Fernhollow Boots",
    brandIds: [ours],
    categoryIds: [shoes.id],
    popularity: 50,
    shortInfo: "Boots",
  });
  programmeId = (await insertProgramme(db, { networkId, retailerId: boots.id })).id;
  const sale = await insertRateTier(db, { programmeId, label: "Sale", bp: 200, position: 2 });
  await insertRateTier(db, { programmeId, label: "Full price", bp: 600, position: 1, capPence: 5_000 });
  await insertBoost(db, { rateTierId: sale.id, bp: 300, startsAt: daysFromNow(-1), endsAt: daysFromNow(1) });
});

const offerOf = (more: Partial<Parameters<typeof insertOffer>[1]> = {}) =>
  insertOffer(db, { networkId, retailerId: boots.id, ...more });
const titles = (cards: { title: string }[]) => cards.map(({ title }) => title);

describe("B4 a brand's offers", () => {
  test("B4 an offer of a retailer that the brand does not show is on none of its pages", async () => {
    const offer = await offerOf({ title: "Only on ours" });
    expect(await findOfferPage(db, { brandId: ours, now: NOW, publicId: offer.publicId })).toMatchObject({
      title: "Only on ours",
      state: "live",
    });
    expect(await findOfferPage(db, { brandId: theirs, now: NOW, publicId: offer.publicId })).toBeNull();
    expect(await findRetailerPage(db, { brandId: theirs, now: NOW, slug: boots.slug })).toBeNull();
    expect(await listOfferCards(db, { brandId: theirs, now: NOW })).toEqual([]);
    expect((await findRetailersAToZ(db, { brandId: theirs, now: NOW })).retailers).toEqual([]);
  });

  test("B4 an offer reserved for some brands is hidden from the others, on the same retailer", async () => {
    const shared = await insertRetailer(db, { brandIds: [ours, theirs] });
    const offer = await offerOf({ retailerId: shared.id, title: "For theirs alone", onlyBrandIds: [theirs] });
    expect(await findOfferPage(db, { brandId: ours, now: NOW, publicId: offer.publicId })).toBeNull();
    expect(await findOfferPage(db, { brandId: theirs, now: NOW, publicId: offer.publicId })).toMatchObject({
      title: "For theirs alone",
    });
    const filters = { retailerSlug: shared.slug };
    expect(titles(await listOfferCards(db, { brandId: ours, now: NOW, filters }))).toEqual([]);
    expect(titles(await listOfferCards(db, { brandId: theirs, now: NOW, filters }))).toEqual(["For theirs alone"]);
  });
});

describe("O1 states of an offer", () => {
  test("O1 only live offers are listed; others have a page with their state", async () => {
    const retailer = await insertRetailer(db, { brandIds: [ours] });
    const make = (title: string, more: Partial<Parameters<typeof insertOffer>[1]>) =>
      offerOf({ retailerId: retailer.id, title, ...more });
    const offers = {
      live: await make("live", {}),
      ongoing: await make("ongoing", { endsAt: null }),
      expired: await make("expired", { endsAt: daysFromNow(-1) }),
      upcoming: await make("upcoming", { startsAt: daysFromNow(1) }),
      withdrawn: await make("withdrawn", { status: "withdrawn" }),
    };
    const listed = await listOfferCards(db, {
      brandId: ours,
      now: NOW,
      filters: { retailerSlug: retailer.slug },
      sort: "ending",
    });
    expect(titles(listed)).toEqual(["live", "ongoing"]);
    const state = async (publicId: string) => (await findOfferPage(db, { brandId: ours, now: NOW, publicId }))?.state;
    expect(await state(offers.live.publicId)).toBe("live");
    expect(await state(offers.ongoing.publicId)).toBe("live");
    expect(await state(offers.expired.publicId)).toBe("expired");
    expect(await state(offers.upcoming.publicId)).toBe("upcoming");
    expect(await state(offers.withdrawn.publicId)).toBe("withdrawn");
  });

  test("O1 an unknown id is null", async () => {
    for (const publicId of ["0000000000000000", "' or 1=1 --", ""])
      expect(await findOfferPage(db, { brandId: ours, now: NOW, publicId })).toBeNull();
  });

  test("O1 a retailer in administration has a page without rates and offers, and its offers have no button", async () => {
    const retailer = await insertRetailer(db, { status: "in_administration", brandIds: [ours] });
    const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
    await insertRateTier(db, { programmeId: programme.id, bp: 500 });
    const offer = await offerOf({ retailerId: retailer.id, programmeId: programme.id });
    expect(await findRetailerPage(db, { brandId: ours, now: NOW, slug: retailer.slug })).toMatchObject({
      status: "in_administration",
      rates: [],
      offers: [],
    });
    expect(await findOfferPage(db, { brandId: ours, now: NOW, publicId: offer.publicId })).toMatchObject({
      state: "withdrawn",
      rates: [],
      retailer: { status: "in_administration" },
    });
    expect((await findRetailersAToZ(db, { brandId: ours, now: NOW })).retailers.map(({ slug }) => slug)).not.toContain(
      retailer.slug,
    );
  });
});

test("O7 an offer's page has its variants in order, its rates with the boost, and the kind of code but never the code", async () => {
  const offer = await offerOf({ programmeId, title: "Boots for less", exclusions: "Not on wellies. Ever." });
  await insertVariant(db, { offerId: offer.id, label: "In the outlet", position: 2 });
  await insertVariant(db, { offerId: offer.id, label: "Online", position: 1 });
  await insertCode(db, { offerId: offer.id, code: "SECRET-BOOTS" });
  const page = await findOfferPage(db, { brandId: ours, now: NOW, publicId: offer.publicId });
  expect(page?.variants.map(({ label }) => label)).toEqual(["Online", "In the outlet"]);
  expect(page?.rates).toEqual([
    {
      label: "Full price",
      basis: expect.any(String),
      capPence: 5_000,
      boostedUntil: null,
      kind: "percent",
      rateBp: 600,
      usualBp: 600,
    },
    {
      label: "Sale",
      basis: expect.any(String),
      capPence: null,
      boostedUntil: daysFromNow(1),
      kind: "percent",
      rateBp: 300,
      usualBp: 200,
    },
  ]);
  expect(page?.code).toEqual({ codeKind: "shared", available: true });
  expect(JSON.stringify(page)).not.toContain("SECRET-BOOTS");
});

test("O4 an empty pool is reported, even if it was never filled; an offer of another kind has no code", async () => {
  const deal = await offerOf({ kind: "deal" });
  expect((await findOfferPage(db, { brandId: ours, now: NOW, publicId: deal.publicId }))?.code).toBeNull();
  const offer = await offerOf();
  const code = async () => (await findOfferPage(db, { brandId: ours, now: NOW, publicId: offer.publicId }))?.code;
  expect(await code()).toEqual({ codeKind: "pool", available: false });
  await insertCode(db, { offerId: offer.id, codeKind: "pool", code: "ONE" });
  expect(await code()).toEqual({ codeKind: "pool", available: true });
  const member = await insertSignedInMember(db, { brandId: ours });
  await db
    .updateTable("offer_codes")
    .set({ member_id: member.id, assigned_at: NOW })
    .where("offer_id", "=", offer.id)
    .execute();
  expect(await code()).toEqual({ codeKind: "pool", available: false });
});

test("D3 a retailer's page has rates, facts, categories, live offers and similar retailers", async () => {
  const similar = await insertRetailer(db, { name: "Tarn Shoes", brandIds: [ours], categoryIds: [shoes.id] });
  await insertRetailer(db, { name: "Hidden Shoes", brandIds: [theirs], categoryIds: [shoes.id] });
  const page = await findRetailerPage(db, { brandId: ours, now: NOW, slug: boots.slug });
  expect(page).toMatchObject({
    name: "Fernhollow Boots",
    categories: [{ slug: "shoes-bags", isMain: true }],
    tracking: {
      tracksWithinDays: { min: 1, max: 3 },
      confirmsWithinDays: { min: 35, max: 75 },
      confirmsAfter: "purchase",
      acceptsClaims: true,
    },
  });
  expect(page?.rates.map(({ label }) => label)).toEqual(["Full price", "Sale"]);
  expect(page?.similar.map(({ slug }) => slug)).toEqual([similar.slug]);
  expect(await findRetailerPage(db, { brandId: ours, now: NOW, slug: "no-such-shop" })).toBeNull();
});

describe("O7 what an offer earns on top, on its card", () => {
  const cards = async (more: Partial<Parameters<typeof insertOffer>[1]>, now = NOW) => {
    const { publicId } = await offerOf({ programmeId, ...more });
    const [card] = await listOfferCards(db, { brandId: ours, now, filters: { publicIds: [publicId] } });
    return card?.plusCashback;
  };

  test("O7 a code, a deal or a gift card names the rates of its own programme, with a boost while it holds", async () => {
    for (const kind of ["code", "deal", "gift_card", "app_exclusive"] as const)
      expect(await cards({ kind }), kind).toBe("plus 3% to 6% cashback");
    expect(await cards({ endsAt: null }, daysFromNow(2))).toBe("plus 2% to 6% cashback");
  });

  test("O7 a cashback offer does not repeat its rate", async () => {
    expect(await cards({ kind: "cashback" })).toBeNull();
  });

  test("O7 an offer outside of a programme, or in one that pays nothing or is suspended, promises nothing", async () => {
    const retailer = await insertRetailer(db, { brandIds: [ours] });
    const free = await insertProgramme(db, { networkId, retailerId: retailer.id });
    await insertRateTier(db, { programmeId: free.id, bp: 0 });
    const other = (await insertNetwork(db)).id;
    const suspended = await insertProgramme(db, {
      networkId: other,
      retailerId: retailer.id,
      status: "suspended",
      isPreferred: false,
    });
    await insertRateTier(db, { programmeId: suspended.id, bp: 900 });
    for (const id of [null, free.id, suspended.id])
      expect(await cards({ retailerId: retailer.id, programmeId: id })).toBeNull();
  });

  test("O7 an offer of a retailer's second programme names that programme's rate, which its link earns", async () => {
    const retailer = await insertRetailer(db, { brandIds: [ours] });
    const other = (await insertNetwork(db)).id;
    const preferred = await insertProgramme(db, { networkId, retailerId: retailer.id });
    const second = await insertProgramme(db, { networkId: other, retailerId: retailer.id, isPreferred: false });
    await insertRateTier(db, { programmeId: preferred.id, bp: 300 });
    await insertRateTier(db, { programmeId: second.id, pence: 900 });
    expect(await cards({ retailerId: retailer.id, programmeId: preferred.id })).toBe("plus 3% cashback");
    expect(await cards({ retailerId: retailer.id, programmeId: second.id })).toBe("plus £9 cashback");
  });
});

test("C5 a programme that is not joined pays nothing, so no rate is shown", async () => {
  const retailer = await insertRetailer(db, { brandIds: [ours] });
  const suspended = await insertProgramme(db, { networkId, retailerId: retailer.id, status: "suspended" });
  await insertRateTier(db, { programmeId: suspended.id, bp: 900 });
  expect(await findRetailerPage(db, { brandId: ours, now: NOW, slug: retailer.slug })).toMatchObject({ rates: [] });
});

test("C5 a retailer on two networks shows the rates of the programme that builds its links", async () => {
  const retailer = await insertRetailer(db, { brandIds: [ours] });
  const other = await insertNetwork(db);
  const preferred = await insertProgramme(db, { networkId, retailerId: retailer.id });
  const second = await insertProgramme(db, { networkId: other.id, retailerId: retailer.id, isPreferred: false });
  await insertRateTier(db, { programmeId: preferred.id, bp: 300 });
  await insertRateTier(db, { programmeId: second.id, bp: 900 });
  expect((await findRetailerPage(db, { brandId: ours, now: NOW, slug: retailer.slug }))?.rates).toMatchObject([
    { rateBp: 300 },
  ]);
});

test("D4 a category's page is sorted and paged without repeats, and a page beyond the last returns the last", async () => {
  const brandId = (await insertBrand(db)).id;
  const category = await insertCategory(db, "DIY & garden");
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  for (let index = 0; index < 30; index += 1) {
    await offerOf({
      retailerId: retailer.id,
      title: `Shed ${index}`,
      popularity: index % 3,
      startsAt: daysFromNow(-40 + index),
      categoryIds: [category.id],
    });
  }
  const page = (sort: "popular" | "newest" | "ending", number: number) =>
    findCategoryPage(db, { brandId, now: NOW, slug: category.slug, sort, page: number });
  const first = await page("popular", 1);
  const second = await page("popular", 2);
  expect(first).toMatchObject({ name: "DIY & garden", total: 30, pageCount: 2, page: 1 });
  expect(new Set([...first!.offers, ...second!.offers].map(({ publicId }) => publicId)).size).toBe(30);
  expect((await page("newest", 1))?.offers[0]?.title).toBe("Shed 29");
  expect(await page("popular", 99)).toMatchObject({ page: 2 });
  expect(await findCategoryPage(db, { brandId, now: NOW, slug: "no-such", sort: "popular", page: 1 })).toBeNull();
  expect(
    await findCategoryPage(db, { brandId: theirs, now: NOW, slug: category.slug, sort: "popular", page: 1 }),
  ).toMatchObject({ total: 0, pageCount: 1, offers: [] });
});

test("D1 home shows each retailer once per row, cashback retailers that pay, featured first, and categories that have offers", async () => {
  const brandId = (await insertBrand(db)).id;
  const category = await insertCategory(db, "Hotels");
  await insertCategory(db, "Empty shelf");
  const paying = async (name: string, bp: number, more: Partial<Parameters<typeof insertRetailer>[1]>) => {
    const retailer = await insertRetailer(db, { name, brandIds: [brandId], ...more });
    const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
    await insertRateTier(db, { programmeId: programme.id, bp });
    return retailer;
  };
  const popular = await paying("Popular Inns", 300, { popularity: 90 });
  await paying("Featured Inns", 200, { popularity: 1, isFeatured: true });
  await paying("Stingy Inns", 0, { popularity: 99 });
  for (let index = 0; index < 3; index += 1)
    await offerOf({ retailerId: popular.id, popularity: index, categoryIds: [category.id] });
  await indexCatalogue(db, { now: NOW });
  const home = await findHomePage(db, { brandId, now: NOW });
  expect(home.featured).toHaveLength(1);
  expect(home.endingSoon).toHaveLength(3);
  expect(
    home.cashbackRetailers.map(({ name, bestRate, liveOffers }) => [
      name,
      bestRate?.kind === "percent" && bestRate.rateBp,
      liveOffers,
    ]),
  ).toEqual([
    ["Featured Inns", 200, 0],
    ["Popular Inns", 300, 3],
  ]);
  expect(home.categories).toEqual([{ slug: "hotels", name: "Hotels", liveOffers: 3 }]);
  expect(await listCategories(db, { brandId: theirs, now: NOW })).toEqual([]);
});

test("D3 the A–Z lists names with accents under their letter and digits under 0", async () => {
  const brandId = (await insertBrand(db)).id;
  for (const name of ["Élan Optics", "Ember & Co", "7 Sisters Tea", "zed", "O’Hara's Bakery"])
    await insertRetailer(db, { name, brandIds: [brandId] });
  const all = await findRetailersAToZ(db, { brandId, now: NOW });
  expect(all.letters).toEqual([
    { letter: "0", retailers: 1 },
    { letter: "e", retailers: 2 },
    { letter: "o", retailers: 1 },
    { letter: "z", retailers: 1 },
  ]);
  expect(all.retailers.map(({ name }) => name)).toEqual([
    "7 Sisters Tea",
    "Élan Optics",
    "Ember & Co",
    "O’Hara's Bakery",
    "zed",
  ]);
  expect((await findRetailersAToZ(db, { brandId, now: NOW, letter: "e" })).retailers.map(({ name }) => name)).toEqual([
    "Élan Optics",
    "Ember & Co",
  ]);
});

test("O7 an 18+ retailer makes its offers 18+", async () => {
  const retailer = await insertRetailer(db, { brandIds: [ours], adultsOnly: true });
  await offerOf({ retailerId: retailer.id });
  expect(await listOfferCards(db, { brandId: ours, now: NOW, filters: { retailerSlug: retailer.slug } })).toMatchObject(
    [{ adultsOnly: true }],
  );
});
