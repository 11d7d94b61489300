import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { makeClick, makeClub, reportedSale } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { findRetailerPage } from "../catalogue/retailers/queries.server.ts";
import { workOutScorecards } from "./operations.server.ts";

const { db } = await testDatabase();
const DAY = 86_400_000;
const now = new Date("2026-11-20T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY);

test("D3 a scorecard counts the last year's purchases, those in time and declined, and the days to confirmation", async () => {
  const club = await makeClub(db);
  const retailer = () => findRetailerPage(db, { brandId: club.brandId, now, slug: club.shop.retailerSlug });
  const buy = async (days: number, { late = false, declined = false } = {}) => {
    const sale = reportedSale(club, await makeClick(db, club, { createdAt: daysAgo(days) }), {
      purchasedAt: daysAgo(days),
      modifiedAt: daysAgo(days),
      observedAt: daysAgo(days),
    });
    const networkId = club.networkId;
    // The retailer promises three days, and has the whole of the third: what comes a millisecond later is late.
    const inTime = daysAgo(days - 4);
    const trackedAt = late ? new Date(inTime.getTime() + 1) : inTime;
    await recordReportedTransaction(db, { networkId, reported: sale, now: trackedAt });
    const decided = daysAgo(days - 40);
    const status = declined ? ("declined" as const) : ("approved" as const);
    const reported = { ...sale, status, validatedAt: decided, modifiedAt: decided, observedAt: decided };
    await recordReportedTransaction(db, { networkId, reported, now: decided });
  };
  for (let count = 0; count < 29; count += 1) await buy(100, { late: count < 3, declined: count < 2 });
  await buy(365); // a year to the millisecond is over
  await workOutScorecards(db, { now });
  expect((await retailer())!.scorecard).toBeNull();
  await buy(60);
  await workOutScorecards(db, { now });
  expect((await retailer())!.scorecard).toEqual({
    purchases: 30,
    trackedInTimePercent: 90,
    declinedPercent: 7,
    medianConfirmDays: 40,
  });
  await workOutScorecards(db, { now: new Date(now.getTime() + 365 * DAY) });
  expect((await retailer())!.scorecard).toBeNull();
});
