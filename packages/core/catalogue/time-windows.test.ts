import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createClickTargets } from "../clicks/click-targets.server.ts";
import { findOfferTarget, findRetailerTarget, type ClickTargetFinding } from "../clicks/queries.server.ts";
import { takeRateSnapshot } from "../clicks/rate-snapshot.ts";
import { addFavourite } from "../favourites/operations.server.ts";
import { listFavouriteOffers, listFavouriteRetailers } from "../favourites/queries.server.ts";
import { revealCode } from "../reveals/operations.server.ts";
import { issueRevealToken } from "../reveals/token.ts";
import { indexCatalogue } from "../search/index-catalogue.server.ts";
import { searchCatalogue } from "../search/queries.server.ts";
import { countSitemapEntries, findSitemapEntries } from "../sitemap/queries.server.ts";
import {
  insertBoost,
  insertCategory,
  insertCode,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "./catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import type { OfferSort, RetailerCard } from "./catalogue-view.ts";
import { listOfferCards } from "./offers/offer-cards.server.ts";
import { findCategoryPage, listCategories } from "./categories/queries.server.ts";
import { findHomePage, listCashbackRetailers } from "./home/queries.server.ts";
import { findOfferPage } from "./offers/queries.server.ts";
import { findRetailerPage, findRetailersAToZ } from "./retailers/queries.server.ts";
import { rateAt, rateValue } from "./rates.ts";
import { offerState } from "./rules.ts";

/**
 * One table of moments for everything that knows when an offer or a boost holds: the rule, the SQL that repeats it for the sake of an index, and what is
 * remembered between two requests. All of them say the same at the same millisecond.
 */

const { db } = await testDatabase();
const at = (ms: number) => new Date(NOW.getTime() + ms);

interface Window {
  name: string;
  /** In ms from NOW; the start is inclusive, the end exclusive. */
  from: number;
  to: number | null;
  holds: boolean;
}
const windows: Window[] = [
  { name: "Alder", from: -2, to: -1, holds: false },
  { name: "Birch", from: -1, to: 0, holds: false },
  { name: "Cedar", from: -1, to: 1, holds: true },
  { name: "Damson", from: 0, to: 1, holds: true },
  { name: "Elm", from: 1, to: 2, holds: false },
  { name: "Fir", from: -1, to: null, holds: true },
  { name: "Gorse", from: 0, to: null, holds: true },
  { name: "Hazel", from: 1, to: null, holds: false },
];
const holding = (of: readonly Window[]) => of.filter(({ holds }) => holds).map(({ name }) => name);
/** The names of windows that stand in such titles or slugs, in the order of the table. */
const named = (titles: Iterable<string>) => {
  const all = [...titles].map((title) => title.toLowerCase());
  return windows.filter(({ name }) => all.some((title) => title.includes(name.toLowerCase()))).map(({ name }) => name);
};
const titlesOf = (offers: readonly { title: string }[] = []) => named(offers.map(({ title }) => title));

describe("O1 an offer is live from its first millisecond until the one before its end", () => {
  let brandId: string;
  let networkId: string;
  const offers = new Map<string, { id: string; publicId: string; retailerSlug: string }>();
  const shelf = { slug: "" };

  beforeAll(async () => {
    brandId = (await insertBrand(db)).id;
    networkId = (await insertNetwork(db)).id;
    const category = await insertCategory(db, "Canvas shelf");
    shelf.slug = category.slug;
    for (const { name, from, to } of windows) {
      const retailer = await insertRetailer(db, {
        name: `${name} shop`,
        brandIds: [brandId],
        categoryIds: [category.id],
      });
      const { id: programmeId } = await insertProgramme(db, { networkId, retailerId: retailer.id });
      await insertRateTier(db, { programmeId, bp: 500 });
      const offer = await insertOffer(db, {
        ...{ networkId, retailerId: retailer.id, title: `Canvas ${name}`, categoryIds: [category.id] },
        ...{ startsAt: at(from), endsAt: to === null ? null : at(to) },
      });
      await insertCode(db, { offerId: offer.id, code: name.toUpperCase() });
      offers.set(name, { ...offer, retailerSlug: retailer.slug });
    }
    // The index is older than the end of the offers: each search has to check the dates again.
    await indexCatalogue(db, { now: at(-2) });
  });

  /** The windows whose offer passes. */
  async function which(passes: (offer: { id: string; publicId: string; retailerSlug: string }) => Promise<boolean>) {
    const names: string[] = [];
    for (const [name, offer] of offers) if (await passes(offer)) names.push(name);
    return names;
  }
  const search = async (more: Partial<Parameters<typeof searchCatalogue>[1]>) =>
    await searchCatalogue(db, { brandId, now: NOW, query: "canvas", page: 1, sort: "relevance", ...more });
  const narrow = { kind: null, category: null, minBp: null };
  /**
   * What the search's own functions find, gathered (up to `counted` matches) or scanned (beyond), when this is typed: the offers of a shop that is
   * named exactly come from a part of their own.
   */
  const searched = async (
    sort: string,
    { counted, narrowed, typed }: { counted: number; narrowed: boolean; typed: string },
  ) => {
    const page = narrowed
      ? sql`search_offers_narrowed(${brandId}, ${NOW}, ${typed}, 'canva'::tsquery, ${sort}, 'code', null, 100, ${counted}, 0, 20)`
      : sql`search_offers_matching(${brandId}, ${NOW}, ${typed}, 'canva'::tsquery, null, ${sort}, ${counted}, 0, 20)`;
    const { rows } = await sql<{ title: string }>`
      select o.title from ${page} page join offers o on o.id = page.offer_id`.execute(db);
    return titlesOf(rows);
  };
  const searchedByName = async (options: { counted: number; narrowed: boolean }) => {
    const found = await Promise.all(
      windows.map(async ({ name }) => {
        const titles = await searched("relevance", { ...options, typed: `${name} shop` });
        return titles.includes(name) ? [name] : [];
      }),
    );
    return found.flat();
  };
  const finding = async (found: Promise<ClickTargetFinding>) => (await found).outcome === "found";
  /** Targets that were asked for at another moment and are remembered since. */
  const remembered = (asked: Date) => async () => {
    const targets = createClickTargets({ db, keepMs: 3_600_000, clock: () => 0 });
    const ask = (publicId: string, now: Date) => targets.ofOffer({ brandId, publicId, variantPublicId: null, now });
    for (const { publicId } of offers.values()) await ask(publicId, asked);
    return await which(({ publicId }) => finding(ask(publicId, NOW)));
  };
  const sorts: OfferSort[] = ["popular", "newest", "ending"];
  const ends = windows.filter(({ to }) => to !== null);

  const surfaces: [name: string, read: () => Promise<string[]>, of?: Window[]][] = [
    [
      "the rule",
      async () =>
        windows
          .filter(({ from, to }) => {
            const dates = { startsAt: at(from), endsAt: to === null ? null : at(to) };
            return offerState({ ...dates, status: "live", retailerStatus: "active" }, NOW) === "live";
          })
          .map(({ name }) => name),
    ],
    [
      "live_offers",
      async () =>
        titlesOf((await sql<{ title: string }>`select title from live_offers(${brandId}, ${NOW})`.execute(db)).rows),
    ],
    [
      "its page",
      () => which(async ({ publicId }) => (await findOfferPage(db, { brandId, now: NOW, publicId }))?.state === "live"),
    ],
    ...sorts.map((sort): [string, () => Promise<string[]>] => [
      `cards, ${sort}`,
      async () => titlesOf(await listOfferCards(db, { brandId, now: NOW, sort })),
    ]),
    ...sorts.map((sort): [string, () => Promise<string[]>] => [
      `a category, ${sort}`,
      async () =>
        titlesOf((await findCategoryPage(db, { brandId, now: NOW, slug: shelf.slug, sort, page: 1 }))?.offers),
    ]),
    ["home, featured", async () => titlesOf((await findHomePage(db, { brandId, now: NOW })).featured)],
    ["home, latest", async () => titlesOf((await findHomePage(db, { brandId, now: NOW })).latest)],
    ["home, ending soon", async () => titlesOf((await findHomePage(db, { brandId, now: NOW })).endingSoon), ends],
    [
      "home, leading",
      async () => titlesOf((await findHomePage(db, { brandId, now: NOW, leadCategories: [shelf.slug] })).lead),
    ],
    [
      "similar offers",
      async () => {
        const nearby = await Promise.all(
          [...offers.values()].map(({ publicId }) => findOfferPage(db, { brandId, now: NOW, publicId })),
        );
        return titlesOf(nearby.flatMap((page) => page?.similar ?? []));
      },
    ],
    [
      "its retailer's page",
      async () => {
        const pages = await Promise.all(
          [...offers.values()].map(({ retailerSlug }) =>
            findRetailerPage(db, { brandId, now: NOW, slug: retailerSlug }),
          ),
        );
        const listed = new Set(pages.flatMap((page) => page?.offers ?? []).map(({ publicId }) => publicId));
        return named([...offers].filter(([, { publicId }]) => listed.has(publicId)).map(([name]) => name));
      },
    ],
    [
      "counts of the A–Z",
      async () => {
        const { retailers } = await findRetailersAToZ(db, { brandId, now: NOW });
        return named(retailers.filter(({ liveOffers }) => liveOffers > 0).map(({ name }) => name));
      },
    ],
    [
      "the A–Z by kind",
      async () => {
        const filter = { kind: "code" as const, category: null, minBp: null };
        return named((await findRetailersAToZ(db, { brandId, now: NOW, filter })).retailers.map(({ name }) => name));
      },
    ],
    ...(["relevance", "popular", "newest", "ending"] as const).flatMap((sort): [string, () => Promise<string[]>][] => [
      [`search, ${sort}`, async () => titlesOf((await search({ sort })).offers)],
      [
        `search by kind, ${sort}`,
        async () => titlesOf((await search({ sort, filter: { ...narrow, kind: "code" } })).offers),
      ],
      ...[0, 500].flatMap((counted): [string, () => Promise<string[]>][] => [
        [
          `search_offers_matching, ${sort}, ${counted} counted`,
          () => searched(sort, { counted, narrowed: false, typed: "canvas" }),
        ],
        [
          `search_offers_narrowed, ${sort}, ${counted} counted`,
          () => searched(sort, { counted, narrowed: true, typed: "canvas" }),
        ],
      ]),
    ]),
    ...[0, 500].flatMap((counted): [string, () => Promise<string[]>][] => [
      [
        `search_offers_matching by the shop's name, ${counted} counted`,
        () => searchedByName({ counted, narrowed: false }),
      ],
      [
        `search_offers_narrowed by the shop's name, ${counted} counted`,
        () => searchedByName({ counted, narrowed: true }),
      ],
    ]),
    [
      "the sitemap",
      async () =>
        named((await findSitemapEntries(db, { brandId, now: NOW, kind: "offers", file: 1 })).map(({ path }) => path)),
    ],
    [
      "a click",
      () =>
        which(({ publicId }) => finding(findOfferTarget(db, { brandId, publicId, variantPublicId: null, now: NOW }))),
    ],
    ["a click, asked for a millisecond ago", remembered(at(-1))],
    ["a click, asked for before they began", remembered(at(-3))],
    ["a click, asked for a millisecond later by another clock", remembered(at(1))],
    [
      "a reveal",
      async () => {
        const member = await insertSignedInMember(db, { brandId });
        return await which(async ({ id, publicId }) => {
          const token = issueRevealToken({ secret: "s", sessionId: member.sessionId, offerId: id, now: NOW });
          const reveal = { secret: "s", token, sessionId: member.sessionId, memberId: member.id, brandId, now: NOW };
          const { outcome } = await revealCode(db, { ...reveal, offerPublicId: publicId, variantPublicId: null });
          return outcome === "revealed";
        });
      },
    ],
    [
      "favourites",
      async () => {
        const { id: memberId } = await insertMember(db, { brandId });
        for (const { publicId } of offers.values())
          await addFavourite(db, { brandId, memberId, favourite: { kind: "offer", id: publicId }, now: NOW });
        const kept = await listFavouriteOffers(db, { brandId, memberId, now: NOW });
        return titlesOf(kept.filter(({ state }) => state === "live"));
      },
    ],
  ];

  test.each(surfaces)("O1 %s", async (_, read, of = windows) => {
    expect(await read()).toEqual(holding(of));
  });

  test("O1 counts agree: search, its kinds, a category and the sitemap", async () => {
    const live = holding(windows).length;
    expect(await search({})).toMatchObject({ total: live, kinds: { code: live } });
    expect(await search({ filter: { ...narrow, kind: "code" } })).toMatchObject({ total: live, kinds: { code: live } });
    const category = await findCategoryPage(db, { brandId, now: NOW, slug: shelf.slug, sort: "popular", page: 1 });
    expect(category).toMatchObject({ total: live, kinds: { code: live } });
    expect((await countSitemapEntries(db, { brandId, now: NOW })).offers).toBe(live);
  });

  test("O1 the index holds offers that had not ended at its moment, and counts a category's live offers", async () => {
    await indexCatalogue(db, { now: NOW });
    const { rows } = await sql<{
      title: string;
    }>`select o.title from search_offers s join offers o on o.id = s.offer_id`.execute(db);
    expect(titlesOf(rows)).toEqual(windows.filter(({ to }) => to === null || to > 0).map(({ name }) => name));
    const [category] = await listCategories(db, { brandId, now: NOW });
    expect(category?.liveOffers).toBe(holding(windows).length);
  });
});

describe("C5 a boost applies from its first millisecond until the one before its end", () => {
  // All of them end: a boost without an end would be a rate.
  const boosts = windows.filter(({ to }) => to !== null);
  let brandId: string;
  let shelf: { id: string; slug: string };
  const slugs = new Map<string, string>();
  const offerIds = new Map<string, string>();

  beforeAll(async () => {
    brandId = (await insertBrand(db)).id;
    const { id: networkId } = await insertNetwork(db);
    shelf = await insertCategory(db, "Boosted shelf");
    for (const { name, from, to, holds } of boosts) {
      const retailer = await insertRetailer(db, {
        ...{ name: `${name} boosted`, brandIds: [brandId], categoryIds: [shelf.id] },
        // Retailers that pay nothing are more popular here: included by mistake, they would displace those that pay.
        popularity: holds ? 1 : 99,
      });
      const { id: programmeId } = await insertProgramme(db, { networkId, retailerId: retailer.id });
      const { id: rateTierId } = await insertRateTier(db, { programmeId, bp: 0 });
      await insertBoost(db, { rateTierId, bp: 1_000, startsAt: at(from), endsAt: at(to!) });
      const title = `Tarpaulin ${name}`;
      const offer = {
        networkId,
        programmeId,
        retailerId: retailer.id,
        title,
        categoryIds: [shelf.id],
        kind: "deal" as const,
      };
      offerIds.set(name, (await insertOffer(db, offer)).publicId);
      slugs.set(name, retailer.slug);
    }
    await indexCatalogue(db, { now: NOW });
  });

  const paying = (cards: readonly RetailerCard[]) =>
    named(cards.filter(({ bestRate }) => bestRate && rateValue(bestRate) > 0).map(({ name }) => name));
  const filter = { kind: null, category: null, minBp: 1_000 };
  const frozenAt = async (found: Promise<ClickTargetFinding>, now: Date) => {
    const finding = await found;
    if (finding.outcome !== "found") throw new Error(finding.outcome);
    return takeRateSnapshot(finding.target, now).rates.some((rate) => rate.kind === "percent" && rate.rateBp === 1_000);
  };
  async function whichFrozen(pays: (slug: string, publicId: string) => Promise<boolean>) {
    const names: string[] = [];
    for (const [name, slug] of slugs) if (await pays(slug, offerIds.get(name)!)) names.push(name);
    return names;
  }
  const remembered = (asked: Date) => async () => {
    const targets = createClickTargets({ db, keepMs: 3_600_000, clock: () => 0 });
    for (const slug of slugs.values()) await frozenAt(targets.ofRetailer({ brandId, slug, now: asked }), asked);
    return await whichFrozen((slug) => frozenAt(targets.ofRetailer({ brandId, slug, now: NOW }), NOW));
  };

  const surfaces: [name: string, read: () => Promise<string[]>][] = [
    [
      "the rule",
      async () =>
        boosts
          .filter(({ from, to }) => {
            const boost = { memberRateBp: 1_000, memberRatePence: null, startsAt: at(from), endsAt: at(to!) };
            const tier = { label: "", basis: "", rateKind: "percent" as const, memberRateBp: 0, memberRatePence: null };
            return rateValue(rateAt({ ...tier, capPence: null, boosts: [boost] }, NOW)) === 1_000;
          })
          .map(({ name }) => name),
    ],
    ["cards of the A–Z", async () => paying((await findRetailersAToZ(db, { brandId, now: NOW })).retailers)],
    [
      "the A–Z by rate",
      async () => named((await findRetailersAToZ(db, { brandId, now: NOW, filter })).retailers.map(({ name }) => name)),
    ],
    [
      "a category by rate",
      async () => {
        const asked = { slug: shelf.slug, sort: "popular", page: 1, minBp: 1_000 } as const;
        return titlesOf((await findCategoryPage(db, { brandId, now: NOW, ...asked }))?.offers);
      },
    ],
    [
      "search by rate",
      async () => {
        const asked = { query: "tarpaulin", page: 1, sort: "relevance", filter } as const;
        return titlesOf((await searchCatalogue(db, { brandId, now: NOW, ...asked })).offers);
      },
    ],
    ["home, cashback", async () => paying(await listCashbackRetailers(db, { brandId, now: NOW, limit: 2 }))],
    [
      "the retailer's page",
      () =>
        whichFrozen(async (slug) =>
          ((await findRetailerPage(db, { brandId, now: NOW, slug }))?.rates ?? []).some((rate) => rateValue(rate) > 0),
        ),
    ],
    [
      "the offer's page",
      () =>
        whichFrozen(async (_, publicId) =>
          ((await findOfferPage(db, { brandId, now: NOW, publicId }))?.rates ?? []).some((rate) => rateValue(rate) > 0),
        ),
    ],
    [
      "a favourite",
      async () => {
        const { id: memberId } = await insertMember(db, { brandId });
        for (const slug of slugs.values())
          await addFavourite(db, { brandId, memberId, favourite: { kind: "retailer", id: slug }, now: NOW });
        return paying(await listFavouriteRetailers(db, { brandId, memberId, now: NOW }));
      },
    ],
    ["a click", () => whichFrozen((slug) => frozenAt(findRetailerTarget(db, { brandId, slug }), NOW))],
    [
      "a click on an offer",
      () =>
        whichFrozen((_, publicId) =>
          frozenAt(findOfferTarget(db, { brandId, publicId, variantPublicId: null, now: NOW }), NOW),
        ),
    ],
    ["a click, asked for a millisecond ago", remembered(at(-1))],
    ["a click, asked for before they began", remembered(at(-3))],
    ["a click, asked for a millisecond later by another clock", remembered(at(1))],
  ];

  test.each(surfaces)("C5 %s", async (_, read) => {
    expect(await read()).toEqual(holding(boosts));
  });
});
