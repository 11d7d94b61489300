import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { makeShop } from "../clicks/clicks.testing.ts";
import { erasePersonalData } from "../personal-data/erase-member.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { recordEvents, telemetryEvent } from "../telemetry/telemetry.testing.ts";
import { sumsReader } from "../telemetry/sums-reader.server.ts";
import { rebuildOfferSums, sumOffers } from "./offer-sums.server.ts";
import {
  readBrands,
  readFunnel,
  readMemberGrowth,
  readOfferConversions,
  readSearchesWithoutResult,
  readTopSearches,
} from "./queries.server.ts";
import { readReport } from "./report-tables.server.ts";
import { isDay, londonDayOf, percentOf } from "./rules.ts";

const { db } = await testDatabase();
const sources = { db, telemetry: sumsReader(db) };
const october = { from: "2026-10-01", to: "2026-10-31" };
/** 23:30 UTC on 30 September is 1 October in London. */
const firstMinutes = new Date("2026-09-30T23:30:00Z");
const noon = new Date("2026-10-05T11:00:00Z");
const now = new Date("2026-11-20T10:00:00Z");
let club: Awaited<ReturnType<typeof makeClub>>;
let other: Awaited<ReturnType<typeof makeClub>>;
const slugOf = async (brandId: string) =>
  (await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow()).slug;

/** A purchase for a click, as the network reports it. */
const report = (reference: string, changes: Parameters<typeof reportedSale>[2] = {}) =>
  recordReportedTransaction(db, { networkId: club.networkId, reported: reportedSale(club, reference, changes), now });

const reveal = (memberId: string, revealedAt: Date, { offerId } = club.shop) =>
  db
    .insertInto("code_reveals")
    .values({
      id: newId(),
      token_hash: newId(),
      member_id: memberId,
      offer_id: offerId,
      revealed_at: revealedAt,
    })
    .execute();

beforeAll(async () => {
  club = await makeClub(db, { networkSlug: "one" });
  other = await makeClub(db, { networkSlug: "two" });
  const { offerPublicId } = club.shop;
  await recordEvents(db, club.brandId, [telemetryEvent("OfferPage", offerPublicId)], firstMinutes);
  await recordEvents(
    db,
    club.brandId,
    [
      ...Array.from({ length: 9 }, () => telemetryEvent("OfferPage", offerPublicId)),
      ...Array.from({ length: 4 }, () => telemetryEvent("OfferRedeemed", offerPublicId)),
      ...["boots", "Boots", "zzz", "zzz", "zzz", "unknown"].map((term) => telemetryEvent("SearchPage", term)),
    ],
    noon,
  );
  await recordEvents(db, other.brandId, [telemetryEvent("SearchPage", "zzz")], noon);
  await recordEvents(db, club.brandId, [telemetryEvent("OfferPage", offerPublicId)], new Date("2026-10-31T23:59:00Z"));
  await recordEvents(db, club.brandId, [telemetryEvent("OfferPage", offerPublicId)], new Date("2026-11-01T00:00:00Z"));
  await reveal(club.memberId, noon);
  const clicks: string[] = [];
  for (const createdAt of [firstMinutes, noon, noon, noon]) clicks.push(await makeClick(db, club, { createdAt }));
  await makeClick(db, club, { createdAt: new Date("2026-11-02T12:00:00Z") });
  await report(clicks[0]!, { networkTransactionId: "1" });
  await report(clicks[1]!, { networkTransactionId: "2" });
  await report(clicks[2]!, { networkTransactionId: "3" });
  await report(clicks[1]!, { networkTransactionId: "2", status: "approved", minute: 5 });
  await report(clicks[2]!, { networkTransactionId: "3", status: "declined", minute: 5 });
  await sumOffers(db, { now });
});

const day = (counts: object) => ({
  ...{ views: 0, redemptions: 0, reveals: 0, clicks: 0, tracked: 0, confirmed: 0, salePence: 0, cashbackPence: 0 },
  ...counts,
});

/** Offers whose clicks of the month are not those of its days. */
async function wrongMonths(): Promise<number> {
  const { rows } = await sql`
    select from report_offer_months months full join (
      select brand_id, date_trunc('month', day)::date as month, offer_id, sum(clicks) as clicks from report_offer_days where offer_id is not null group by 1, 2, 3
    ) days using (brand_id, month, offer_id) where months.clicks is distinct from days.clicks`.execute(db);
  return rows.length;
}

describe("T7 reports", () => {
  test("T7 the funnel counts each step once, on the day in London of its view, reveal or click", async () => {
    const brand = await slugOf(club.brandId);
    expect(await readFunnel(sources, { ...october, brandId: club.brandId })).toEqual({
      total: day({
        views: 11,
        redemptions: 4,
        reveals: 1,
        clicks: 4,
        tracked: 3,
        confirmed: 1,
        salePence: 20_000,
        cashbackPence: 1_200,
      }),
      ofRetailers: { clicks: 0, tracked: 0, confirmed: 0 },
      days: [
        day({ brand, day: "2026-10-01", views: 1, clicks: 1, tracked: 1, salePence: 10_000, cashbackPence: 600 }),
        day({
          brand,
          day: "2026-10-05",
          views: 9,
          redemptions: 4,
          reveals: 1,
          clicks: 3,
          tracked: 2,
          confirmed: 1,
          salePence: 10_000,
          cashbackPence: 600,
        }),
        day({ brand, day: "2026-10-31", views: 1 }),
      ],
    });
    expect((await readFunnel(sources, { ...october, brandId: other.brandId })).total).toEqual(day({}));
  });

  test("T7 sums follow what changes later, on the day of its click; calls that overlap, repeat or start anew change nothing", async () => {
    const funnel = () => readFunnel(sources, { ...october, brandId: club.brandId });
    const before = await funnel();
    await Promise.all([sumOffers(db, { now }), sumOffers(db, { now }), rebuildOfferSums(db, { now })]);
    await rebuildOfferSums(db, { now });
    expect(await funnel()).toEqual(before);
    expect(await wrongMonths()).toBe(0);
    const late = await makeClick(db, club, { createdAt: noon });
    await recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: reportedSale(club, late, { networkTransactionId: "9" }),
      now,
    });
    await sumOffers(db, { now });
    expect((await funnel()).total).toMatchObject({
      clicks: before.total.clicks + 1,
      tracked: before.total.tracked + 1,
    });
    await recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: reportedSale(club, late, { networkTransactionId: "9", status: "declined", minute: 9 }),
      now: new Date(now.getTime() + 90 * 60_000),
    });
    await sumOffers(db, { now: new Date(now.getTime() + 91 * 60_000) });
    expect(await wrongMonths()).toBe(0);
    expect((await funnel()).total).toEqual({
      ...before.total,
      clicks: before.total.clicks + 1,
      tracked: before.total.tracked + 1,
    });
  });

  test("T7 top searches say how much each finds; searches without a result are those that find nothing at that brand", async () => {
    const [brand, otherBrand] = [await slugOf(club.brandId), await slugOf(other.brandId)];
    const known = [
      [club.brandId, "boots", 12],
      [club.brandId, "zzz", 0],
      [other.brandId, "zzz", 5],
    ] as const;
    for (const [brand_id, term, results] of known)
      await db.insertInto("telemetry_search_results").values({ brand_id, term, results, checked_at: now }).execute();
    const range = { ...october, brandId: null };
    const one = (name: string, term: string, searches: number, results: number | null) => ({
      ...{ brand: name, term, searches, results, checkedAt: results === null ? null : now },
    });
    expect(await readTopSearches(sources, { ...range, brandId: club.brandId }, { max: 2 })).toEqual([
      one(brand, "zzz", 3, 0),
      one(brand, "boots", 2, 12),
    ]);
    const all = await readTopSearches(sources, range, { max: 10 });
    expect(all).toHaveLength(4);
    expect(all).toEqual(expect.arrayContaining([one(brand, "unknown", 1, null), one(otherBrand, "zzz", 1, 5)]));
    expect(await readSearchesWithoutResult(sources, range, { max: 10 })).toEqual([one(brand, "zzz", 3, 0)]);
    expect(await readSearchesWithoutResult(sources, { ...range, brandId: other.brandId }, { max: 10 })).toEqual([]);
  });

  test("T7 offers are ordered by purchases for each click, and those with few clicks can be left out", async () => {
    const range = { ...october, brandId: club.brandId };
    const [offer, ...rest] = await readOfferConversions(sources, range, { max: 10, minClicks: 1 });
    expect(rest).toEqual([]);
    expect(offer).toMatchObject({
      offer: club.shop.offerPublicId,
      title: "Cashback on everything",
      retailer: club.shop.retailerSlug,
      views: 11,
      redemptions: 4,
      reveals: 1,
      tracked: 4,
      clicks: 5,
    });
    expect(await readOfferConversions(sources, range, { max: 10, minClicks: 6 })).toEqual([]);
    expect(
      await readOfferConversions(sources, { ...range, brandId: other.brandId }, { max: 10, minClicks: 0 }),
    ).toEqual([]);
  });

  test("T7 members are counted by day: who joined, who left, who is there at the end, those from before included", async () => {
    await sql`update members set created_at = '2026-08-01' where id = ${club.memberId}`.execute(db);
    const [early, leaver] = [
      await insertVerifiedMember(db, { brandId: club.brandId }),
      await insertVerifiedMember(db, { brandId: club.brandId }),
    ];
    await sql`update members set created_at = ${firstMinutes} where id = ${early.id}`.execute(db);
    await sql`update members set created_at = ${noon}, closed_at = '2026-10-07T12:00:00Z' where id = ${leaver.id}`.execute(
      db,
    );
    const growth = await readMemberGrowth(db, { brandId: club.brandId, from: "2026-10-01", to: "2026-10-07" });
    expect(growth.map(({ day, joined, left, members }) => [day, joined, left, members])).toEqual([
      ["2026-10-01", 1, 0, 2],
      ["2026-10-02", 0, 0, 2],
      ["2026-10-03", 0, 0, 2],
      ["2026-10-04", 0, 0, 2],
      ["2026-10-05", 1, 0, 3],
      ["2026-10-06", 0, 0, 3],
      ["2026-10-07", 0, 1, 2],
    ]);
    const brands = await readBrands(sources, { ...october, brandId: null });
    expect(brands.map(({ brand }) => brand)).toEqual(
      [await slugOf(club.brandId), await slugOf(other.brandId)].toSorted(),
    );
    expect(
      brands.find(({ brand }) => brand.length > 0 && brands.length === 2 && brand === growth[0]?.brand),
    ).toMatchObject({ searches: 6, views: 11, clicks: 5, joined: 2, left: 1, members: 2 });
  });
});

test("T7 who goes to a shop from its own page is no step of the funnel of offers, and has lines of its own", async () => {
  const fourth = await makeClub(db, { networkSlug: "four" });
  const { brandId, networkId, shop } = fourth;
  await recordEvents(
    db,
    brandId,
    Array.from({ length: 4 }, () => telemetryEvent("OfferPage", shop.offerPublicId)),
    noon,
  );
  await makeClick(db, fourth, { createdAt: noon });
  const buyers: string[] = [];
  for (let click = 0; click < 5; click++)
    buyers.push(await makeClick(db, fourth, { createdAt: noon, isOfRetailer: true }));
  for (const [at, click] of buyers.slice(0, 2).entries())
    await recordReportedTransaction(db, {
      networkId,
      reported: reportedSale(fourth, click, { networkTransactionId: `own-page-${at}` }),
      now,
    });
  await rebuildOfferSums(db, { now });
  const { rows } = await readReport("funnel", sources, { range: { ...october, brandId }, max: 10, minClicks: 1 });
  expect(rows).toEqual([
    ["Views of offers", 4, null],
    ["Redemptions", 0, 0],
    ["Codes revealed", 0, 0],
    ["Clicks on offers", 1, 25],
    ["Clicks on offers with a purchase tracked", 0, 0],
    ["Clicks on offers with a purchase confirmed", 0, null],
    ["Clicks on retailers’ pages", 5, null],
    ["Clicks on retailers’ pages with a purchase tracked", 2, 40],
    ["Clicks on retailers’ pages with a purchase confirmed", 0, 0],
  ]);
});

test("T7 M5 what a member revealed stays in the sums when they have left and the day is summed again", async () => {
  const third = await makeClub(db, { networkSlug: "three" });
  const { brandId, networkId } = third;
  const another = await makeShop(db, { brandId, networkId });
  const { id: leaver } = await insertVerifiedMember(db, { brandId });
  await reveal(third.memberId, noon, third.shop);
  await reveal(leaver, noon, third.shop);
  await reveal(leaver, noon, another);
  const click = await makeClick(db, third, { createdAt: noon });
  const totals = async () => {
    const { reveals, clicks, tracked } = (await readFunnel(sources, { ...october, brandId })).total;
    return { reveals, clicks, tracked };
  };
  await rebuildOfferSums(db, { now: noon });
  expect(await totals()).toEqual({ reveals: 3, clicks: 1, tracked: 0 });

  await db.transaction().execute((trx) => erasePersonalData(trx, { memberId: leaver, now }));
  const reported = reportedSale(third, click, { networkTransactionId: "late" });
  await recordReportedTransaction(db, { networkId, reported, now });
  await sumOffers(db, { now });
  expect(await totals()).toEqual({ reveals: 3, clicks: 1, tracked: 1 });
  await sumOffers(db, { now });
  expect(await totals(), "once more").toEqual({ reveals: 3, clicks: 1, tracked: 1 });
  expect(await wrongMonths()).toBe(0);
  await rebuildOfferSums(db, { now });
  expect(await totals(), "made again from what there is").toEqual({ reveals: 1, clicks: 1, tracked: 1 });
});

test("T7 days and shares: London's days, days of the calendar only, one decimal", () => {
  expect([londonDayOf(firstMinutes), londonDayOf(new Date("2026-12-31T23:59:59Z"))]).toEqual([
    "2026-10-01",
    "2026-12-31",
  ]);
  expect(["2026-02-28", "2028-02-29", "2026-02-29", "2026-13-01", "2026-1-1", "today", ""].map(isDay)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([percentOf(1, 3), percentOf(0, 5), percentOf(3, 2), percentOf(1, 0)]).toEqual([33.3, 0, 150, null]);
});
