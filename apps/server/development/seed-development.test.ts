import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { findHomePage } from "@farthing/core/catalogue/home/queries.server.ts";
import { listOpenRequests } from "@farthing/core/verification-requests/queries.server.ts";
import { KEY } from "@farthing/core/verification-requests/verification.testing.ts";
import { bookedFloat } from "@farthing/core/gift-cards/queries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEVELOPMENT_ORIGINATOR } from "../env.ts";
import { seedDevelopment } from "./seed-development.ts";

const { db } = await testDatabase();
const told: string[] = [];
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "farthing-seed-development-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const start = (now: Date) =>
  seedDevelopment({
    db,
    dataDir,
    attachmentKey: KEY,
    operatorKeys: [KEY],
    bank: { bankKeys: [KEY], originator: DEVELOPMENT_ORIGINATOR },
    port: 3000,
    now: () => now,
    tell: (line) => void told.push(line),
  });

/** Returns what a visitor of the default brand, its demo member and an operator see. */
async function shown(now: Date) {
  const member = await db
    .selectFrom("members")
    .innerJoin("brands", "brands.id", "members.brand_id")
    .select(["members.id", "members.brand_id"])
    .where("brands.is_default", "=", true)
    .where("members.email", "like", "member@%")
    .executeTakeFirstOrThrow();
  const home = await findHomePage(db, { brandId: member.brand_id, now });
  const { items, openClicks } = await findCashbackTimeline(db, { memberId: member.id, now });
  const [proof] = await listOpenRequests(db);
  const daysAgo = (at: Date) => Math.floor((now.getTime() - at.getTime()) / 86_400_000);
  return {
    offers: [home.featured.length, home.latest.length, home.endingSoon.length],
    boosted: home.cashbackRetailers.some(({ bestRate }) => bestRate?.boostedUntil != null),
    lastPurchase: Math.min(...items.map(({ purchasedAt }) => daysAgo(purchasedAt))),
    lastClick: Math.min(...openClicks.map(({ clickedAt }) => daysAgo(clickedAt))),
    isProofFresh: daysAgo(proof!.submittedAt) <= 1,
  };
}

test("P1 Z3 a demo started again after 60 days shows current offers, and another start changes nothing", async () => {
  const [then, later] = [new Date("2026-12-31T23:59:50Z"), new Date("2027-03-01T23:59:55Z")];
  await start(then);
  const living = await shown(then);
  expect(living).toMatchObject({ boosted: true, lastPurchase: 2, lastClick: 0, isProofFresh: true });
  expect(Math.min(...living.offers)).toBeGreaterThan(3);
  expect(await shown(later), "left alone").toMatchObject({ boosted: false, lastPurchase: 62, isProofFresh: false });

  told.length = 0;
  await start(later);
  expect(told).toEqual([
    "Moved the demo catalogue's dates to today",
    expect.stringMatching(/^Brought the history of \d demo members up to date$/),
  ]);
  expect(await shown(later)).toEqual(living);
  told.length = 0;
  await start(later);
  expect(told).toEqual([]);
  expect(await bookedFloat(db), "what the sandbox's issuer says that it holds").toBe(1_000_000);
});
