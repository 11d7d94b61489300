import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { expect, test } from "vitest";
import { makeClick, makeClub } from "../cashback/cashback.testing.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import type { TransferKind } from "../ledger/rules.ts";
import { sumMoney } from "../reports/money-sums.server.ts";
import { findDailyFigures, FIGURE_DAYS } from "./daily-figures.server.ts";

const { db } = await testDatabase();

test("A3 the home page's figures are those of each day in London: joined, clicks, and what was paid, in the sums or not yet", async () => {
  const club = await makeClub(db, { networkSlug: "one" });
  const now = new Date("2026-07-20T10:00:00Z");
  // 23:30 UTC on 18 July is 19 July in London.
  const night = new Date("2026-07-18T23:30:00Z");
  await db.updateTable("members").set({ created_at: night }).execute();
  await makeClick(db, club, { createdAt: night });
  await makeClick(db, club, { createdAt: new Date("2026-07-18T22:30:00Z") });
  await makeClick(db, club, { createdAt: new Date("2026-07-06T22:59:00Z") });
  const { memberId } = club;
  const pay = (kind: TransferKind, happenedAt: Date, pence: number) => {
    const id = newId();
    return postTransfer(db, {
      ...{ key: `test:${id}`, kind, cause: { kind: "payout", id }, happenedAt },
      legs: [
        { account: { kind: "member_in_transit", memberId }, amountPence: -pence },
        { account: { kind: "member_paid", memberId }, amountPence: pence },
      ],
    });
  };
  await pay("payout_paid", night, 900);
  await sumMoney(db);
  await pay("payout_paid", night, 50);
  await pay("payout_returned", now, -50);
  await pay("payout_paid", now, 7);
  const days = await findDailyFigures(db, { now });
  expect(days).toHaveLength(FIGURE_DAYS);
  const nothing = { joined: 0, clicks: 0, tracked: 0, confirmedPence: 0, paidPence: 0 };
  expect(days[0]).toEqual({ ...nothing, day: "2026-07-07" });
  expect(days.slice(-3)).toEqual([
    { ...nothing, day: "2026-07-18", clicks: 1 },
    { ...nothing, day: "2026-07-19", joined: 1, clicks: 1, paidPence: 950 },
    { ...nothing, day: "2026-07-20", paidPence: 7 },
  ]);
});
