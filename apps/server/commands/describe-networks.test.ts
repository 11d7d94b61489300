import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { clickAt } from "@farthing/core/clicks/clicks.testing.ts";
import { makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { claimPass, finishLateLook, finishPass } from "@farthing/core/networks/passes.server.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { describeNetworks } from "./describe-networks.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

test("C1 C2 operators see how far each network's report was read, and how many members' browsers could not reach it", async () => {
  const club = await makeClub(db);
  await insertNetwork(db, { slug: "cj" });
  const recorder = createClickRecorder({ db });
  for (const preFlight of [
    "healthy",
    "healthy",
    "healthy",
    "slow",
    "slow",
    "blocked",
    "no_cookies",
    null,
    null,
    null,
    null,
  ] as const)
    await recorder.record({ ...clickAt(club.shop, club), preFlight, createdAt: daysAgo(6) });
  await recorder.record({ ...clickAt(club.shop, club), preFlight: "blocked", createdAt: daysAgo(8) });
  await recorder.close();
  await claimPass(db, { networkId: club.networkId, pass: "transaction", now, everyMs: 0 });
  await finishPass(db, {
    networkId: club.networkId,
    pass: "transaction",
    result: { problem: "no answer", coveredUntil: daysAgo(1) },
  });
  const tomorrow = new Date(now.getTime() + 86_400_000);
  const again = await claimPass(db, { networkId: club.networkId, pass: "transaction", now: tomorrow, everyMs: 0 });
  await finishLateLook(db, {
    networkId: club.networkId,
    pass: "transaction",
    beganAt: again!.late!.beganAt,
    result: { problem: "page 3 is broken" },
    now: tomorrow,
  });
  const lost = reportedSale(club, null);
  await recordReportedTransaction(db, { networkId: club.networkId, reported: lost, now });
  const lines = await describeNetworks(db, { now });
  expect(lines).toEqual([
    expect.stringMatching(/^awin /),
    "  transaction pass: read up to 2026-11-19T10:00:00.000Z; failed: no answer",
    "    the look for sales reported late failed, and goes on: page 3 is broken",
    "  clicks in 7 days: 7 checked (3 healthy, 2 slow, 1 blocked, 1 without cookies), 4 not checked",
    expect.stringMatching(/^cj /),
    "  its report was never read",
    "  no clicks in 7 days",
    "held: 1 credited to nobody (no_reference), the oldest from 2026-11-20",
    "corrections that wait for their original: 0",
  ]);
  expect(lines.join("\n")).not.toContain(club.memberId);
});
