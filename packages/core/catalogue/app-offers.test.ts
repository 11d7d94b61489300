import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import type { Brand } from "../brands/brand.ts";
import { hasApp } from "../brands/brand.ts";
import { listFavouriteOffers, listViewedOffers } from "../favourites/queries.server.ts";
import { indexCatalogue } from "../search/index-catalogue.server.ts";
import { searchCatalogue, suggest } from "../search/queries.server.ts";
import { countSitemapEntries, findSitemapEntries } from "../sitemap/queries.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { insertCategory, insertOffer, insertRetailer, NOW } from "./catalogue.testing.ts";
import { findCategoryPage, listCategories } from "./categories/queries.server.ts";
import { findHomePage } from "./home/queries.server.ts";
import { listOfferCards } from "./offers/offer-cards.server.ts";
import { findOfferPage } from "./offers/queries.server.ts";
import { findRetailerPage, findRetailersAToZ } from "./retailers/queries.server.ts";

const { db } = await testDatabase();
const [withApp, without] = [await insertBrand(db, { hasApp: true }), await insertBrand(db)];
const brandIds = [withApp.id, without.id];
const networkId = (await insertNetwork(db)).id;
const shelf = await insertCategory(db, "Umbrellas");
const shop = await insertRetailer(db, { name: "Puddlewick", brandIds, categoryIds: [shelf.id] });
const offerOf = (kind: "deal" | "app_exclusive", title: string) =>
  insertOffer(db, { networkId, retailerId: shop.id, kind, title, categoryIds: [shelf.id], endsAt: null });
const deal = await offerOf("deal", "Brollies half price");
const inApp = await offerOf("app_exclusive", "Brollies in the app");
await indexCatalogue(db, { now: NOW });

/** What a brand's pages list, find, count and suggest: public ids of offers, or how many there are. */
async function shownBy({ id: brandId }: Brand) {
  const at = { brandId, now: NOW };
  const ids = (cards: readonly { publicId: string }[]) => cards.map(({ publicId }) => publicId).toSorted();
  const found = await searchCatalogue(db, { ...at, query: "brollies", sort: "popular", page: 1 });
  const category = await findCategoryPage(db, { ...at, slug: shelf.slug, sort: "popular", page: 1 });
  const home = await findHomePage(db, at);
  const retailer = await findRetailerPage(db, { ...at, slug: shop.slug });
  const filter = { kind: "app_exclusive", category: null, minBp: null } as const;
  return {
    cards: ids(await listOfferCards(db, at)),
    home: ids([...home.latest]),
    category: ids(category?.offers ?? []),
    categoryCounts: [category?.total, category?.kinds, (await listCategories(db, at))[0]?.liveOffers],
    retailer: ids(retailer?.offers ?? []),
    retailerCount: (await findRetailersAToZ(db, at)).retailers[0]?.liveOffers,
    retailersWithAppOffers: (await findRetailersAToZ(db, { ...at, filter })).retailers.length,
    similarToDeal: ids((await findOfferPage(db, { ...at, publicId: deal.publicId }))?.similar ?? []),
    found: ids(found.offers),
    foundCounts: [found.total, found.kinds],
    suggested: (await suggest(db, { ...at, query: "brol" })).offers.length,
    sitemap: [
      (await countSitemapEntries(db, at)).offers,
      (await findSitemapEntries(db, { ...at, kind: "offers", file: 1 })).length,
    ],
  };
}
const both = [deal.publicId, inApp.publicId].toSorted();
const listsBoth = {
  ...{ cards: both, category: both, retailer: both, found: both, similarToDeal: [inApp.publicId] },
  ...{ categoryCounts: [2, { deal: 1, app_exclusive: 1 }, 2], retailerCount: 2, retailersWithAppOffers: 1 },
  ...{ foundCounts: [2, { deal: 1, app_exclusive: 1 }], suggested: 2, sitemap: [2, 2] },
};
const one = [deal.publicId];
const listsDeal = {
  ...{ cards: one, category: one, retailer: one, found: one, home: one, similarToDeal: [] },
  ...{ categoryCounts: [1, { deal: 1 }, 1], retailerCount: 1, retailersWithAppOffers: 0 },
  ...{ foundCounts: [1, { deal: 1 }], suggested: 1, sitemap: [1, 1] },
};

describe("O5 B3 offers that only an app has", () => {
  test("O5 B3 D2 a brand without an app lists, finds, counts and suggests none of them; one with an app has them everywhere", async () => {
    expect(await shownBy(withApp)).toMatchObject(listsBoth);
    expect(await shownBy(without)).toEqual(listsDeal);
  });

  test.each([
    ["the switch is off", { appExclusive: false }, { ios: "https://apps.example/ios", android: null }],
    ["there is no store", { appExclusive: true }, { ios: null, android: "" }],
    ["nothing is said of them", {}, {}],
    ["there is one store", { appExclusive: true }, { ios: null, android: "https://apps.example/android" }],
  ])("O5 B3 lists and pages go by one rule: %s", async (_, features, storeLinks) => {
    const brand = await insertBrand(db);
    await db.insertInto("brand_retailers").values({ brand_id: brand.id, retailer_id: shop.id }).execute();
    await db
      .updateTable("brands")
      .set({ features: JSON.stringify(features), store_links: JSON.stringify(storeLinks) })
      .where("id", "=", brand.id)
      .execute();
    const cards = await listOfferCards(db, { brandId: brand.id, now: NOW });
    const noFeatures = { ...brand.features, appExclusive: false };
    const read = { features: { ...noFeatures, ...features }, storeLinks: { ios: null, android: null, ...storeLinks } };
    expect(cards.some(({ kind }) => kind === "app_exclusive")).toBe(hasApp(read));
  });

  test("O5 B3 a brand that gets an app has them in its search and counts with the next indexing", async () => {
    const brand = await insertBrand(db);
    await db.insertInto("brand_retailers").values({ brand_id: brand.id, retailer_id: shop.id }).execute();
    await indexCatalogue(db, { now: NOW });
    expect(await shownBy(brand)).toEqual(listsDeal);
    const app = {
      features: JSON.stringify({ appExclusive: true }),
      store_links: JSON.stringify({ ios: "https://a.example" }),
    };
    await db.updateTable("brands").set(app).where("id", "=", brand.id).execute();
    await indexCatalogue(db, { now: NOW });
    expect(await shownBy(brand)).toMatchObject(listsBoth);
  });

  test("O5 D10 a favourite of the time before says that it is not available, and is not among those viewed recently", async () => {
    for (const [brand, state] of [
      [withApp, "live"],
      [without, "withdrawn"],
    ] as const) {
      const { id: memberId } = await insertSignedInMember(db, { brandId: brand.id });
      const kept = { member_id: memberId, offer_id: inApp.id };
      await db
        .insertInto("favourite_offers")
        .values({ ...kept, created_at: NOW })
        .execute();
      await db
        .insertInto("viewed_offers")
        .values({ ...kept, viewed_at: NOW })
        .execute();
      const whose = { brandId: brand.id, memberId, now: NOW };
      expect((await listFavouriteOffers(db, whose)).map((offer) => offer.state)).toEqual([state]);
      expect(await listViewedOffers(db, whose)).toHaveLength(state === "live" ? 1 : 0);
    }
  });
});
