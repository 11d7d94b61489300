import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { makeClub } from "../cashback/cashback.testing.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import { rebuildTotals } from "../ledger/totals.server.ts";
import type { Leg, TransferKind } from "../ledger/rules.ts";
import { readMoneyMonths } from "./money-months.server.ts";
import { rebuildMoneySums, sumMoney } from "./money-sums.server.ts";

const { db } = await testDatabase();
const autumn = { from: "2026-09-10", to: "2026-11-30" };
let one: Awaited<ReturnType<typeof makeClub>>;
let two: Awaited<ReturnType<typeof makeClub>>;
type Club = typeof one;

function post(kind: TransferKind, at: string, legs: readonly Leg[]) {
  const id = newId();
  return postTransfer(db, {
    ...{ key: `test:${id}`, kind, legs, happenedAt: new Date(at) },
    cause: { kind: "cashback_entry", id },
  });
}

const member = (
  { memberId }: Club,
  kind: "tracked" | "confirmed" | "payable" | "in_transit" | "paid",
  amount: number,
) => ({ account: { kind: `member_${kind}`, memberId }, amountPence: amount }) as const;
const network = ({ networkId }: Club, kind: "expected" | "approved" | "received", amount: number) =>
  ({ account: { kind: `network_${kind}`, networkId }, amountPence: amount }) as const;
const club = (kind: "expected" | "approved" | "earned" | "goodwill" | "bonuses", amount: number) =>
  ({ account: { kind: `club_${kind}` }, amountPence: amount }) as const;

const nothing = {
  ...{ tracked: 0, confirmed: 0, declined: 0, payable: 0, bonuses: 0, goodwill: 0, cardCashback: 0 },
  ...{ payouts: 0, requested: 0, paid: 0, unpaid: 0, commission: 0, share: 0 },
};

beforeAll(async () => {
  one = await makeClub(db, { networkSlug: "one" });
  two = await makeClub(db, { networkSlug: "two" });
  await post("cashback_tracked", "2026-09-09T12:00:00Z", [member(one, "tracked", 7), network(one, "expected", -7)]);
  // 23:30 UTC on 30 September is October in London.
  await post("cashback_tracked", "2026-09-30T23:30:00Z", [
    ...[member(one, "tracked", 600), network(one, "expected", -800), club("expected", 200)],
  ]);
  await post("cashback_tracked", "2026-10-02T12:00:00Z", [member(one, "tracked", 50), network(one, "expected", -50)]);
  await post("cashback_tracked", "2026-10-03T12:00:00Z", [member(two, "confirmed", 30), network(two, "approved", -30)]);
  await post("cashback_confirmed", "2026-10-10T12:00:00Z", [
    ...[member(one, "tracked", -600), member(one, "confirmed", 600), network(one, "expected", 800)],
    ...[network(one, "approved", -800), club("expected", -200), club("approved", 200)],
  ]);
  await post("cashback_declined", "2026-10-11T12:00:00Z", [member(one, "tracked", -50), network(one, "expected", 50)]);
  await sumMoney(db);
  await post("cashback_payable", "2026-10-31T23:59:00Z", [
    ...[member(one, "confirmed", -600), member(one, "payable", 600), network(one, "approved", 800)],
    ...[network(one, "received", -800), club("approved", -200), club("earned", 200)],
  ]);
  await post("goodwill_given", "2026-11-01T00:00:00Z", [member(one, "payable", 500), club("goodwill", -500)]);
  await post("bonus_confirmed", "2026-11-01T12:00:00Z", [member(two, "confirmed", 250), club("bonuses", -250)]);
  await post("payout_requested", "2026-11-02T12:00:00Z", [
    member(one, "payable", -900),
    member(one, "in_transit", 900),
  ]);
  await post("payout_requested", "2026-11-02T13:00:00Z", [member(two, "payable", -70), member(two, "in_transit", 70)]);
  await post("payout_failed", "2026-11-03T12:00:00Z", [member(two, "payable", 70), member(two, "in_transit", -70)]);
  // As payable/settle.server.ts does: cashback goes by its own transfer.
  await post("payout_paid", "2026-11-04T12:00:00Z", [
    ...[member(one, "payable", 600), member(one, "in_transit", -900), member(one, "paid", 300)],
  ]);
  await post("cashback_paid", "2026-11-04T12:00:00Z", [member(one, "payable", -600), member(one, "paid", 600)]);
  await post("payout_returned", "2026-11-06T12:00:00Z", [member(one, "payable", 100), member(one, "paid", -100)]);
});

const october = { tracked: 600, confirmed: 600, declined: 50, payable: 600, commission: 800, share: 200 };
const november = { goodwill: 500, requested: 900, payouts: 1, paid: 900, unpaid: 100 };

describe("T7 money by month", () => {
  test("T7 counts what the ledger booked in each month of London, of the range's days only, by brand", async () => {
    expect(await readMoneyMonths(db, { ...autumn, brandId: one.brandId })).toEqual([
      { month: "2026-09-01", ...nothing },
      { month: "2026-10-01", ...nothing, ...october, tracked: 650 },
      { month: "2026-11-01", ...nothing, ...november },
    ]);
    expect(await readMoneyMonths(db, { ...autumn, brandId: two.brandId })).toEqual([
      { month: "2026-09-01", ...nothing },
      { month: "2026-10-01", ...nothing, tracked: 30, confirmed: 30 },
      { month: "2026-11-01", ...nothing, bonuses: 250, payouts: 1, requested: 70, unpaid: 70 },
    ]);
    const all = await readMoneyMonths(db, { ...autumn, from: "2026-09-09", to: "2026-09-09", brandId: null });
    expect(all).toEqual([{ month: "2026-09-01", ...nothing, tracked: 7 }]);
  });

  test("T7 sums, repeated, at once, begun anew, or lost with a server, change no figure", async () => {
    const read = () => readMoneyMonths(db, { ...autumn, brandId: null });
    const before = await read();
    const summed = () => sql<{ rows: number }>`select count(*)::int as rows from report_money_days`.execute(db);
    await Promise.all([sumMoney(db), sumMoney(db), rebuildMoneySums(db)]);
    await sumMoney(db);
    expect(await read()).toEqual(before);
    // Sums are read at all. How much is in them depends on who else has a transaction open in this server.
    await sql`insert into report_money_days values ('2026-10-05', null, 'goodwill_given', 'club_goodwill', -1, 1)`.execute(
      db,
    );
    expect((await read()).map(({ goodwill }) => goodwill)).toEqual([0, 1, 500]);
    await rebuildMoneySums(db);
    expect(await read()).toEqual(before);
    await rebuildTotals(db);
    expect((await summed()).rows).toEqual([{ rows: 0 }]);
    await sumMoney(db);
    expect(await read()).toEqual(before);
  });
});
