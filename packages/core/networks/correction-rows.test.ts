import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { makeClick, makeClub, reportedSale, type ClubForTests, payMember } from "../cashback/cashback.testing.ts";
import { checkCashback } from "../cashback/check.server.ts";
import { recordReportedTransaction, settleDueByCalendar } from "../cashback/operations.server.ts";
import { findCashbackTimeline } from "../cashback/queries.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import type { ReportedTransaction } from "./network-transaction.ts";
import { finishPass, claimPass } from "./passes.server.ts";
import { findUnpaidIds } from "./queries.server.ts";
import { countWaitingCorrections } from "./rows.server.ts";
import { sumItems } from "./sum-items.ts";

const { db } = await testDatabase();
const now = new Date("2026-10-02T12:00:00Z");
const DAY_MS = 86_400_000;
let home: ClubForTests;
beforeAll(async () => {
  home = await makeClub(db, { networkSlug: "cj" });
});

let lastRow = 0;
/** Makes a purchase of £100.00 that earns £6.00, as a row of its own, and rows that correct it by parts of it. */
async function purchase(changes: Partial<ReportedTransaction> = {}) {
  const club = { ...home, memberId: (await insertVerifiedMember(db, { brandId: home.brandId })).id };
  const original: ReportedTransaction = {
    ...reportedSale(club, await makeClick(db, club)),
    correction: { rowId: `row-${++lastRow}`, isOriginal: true },
    ...changes,
  };
  const correction = (percent: number, more: Partial<ReportedTransaction> = {}): ReportedTransaction => {
    const amounts = { saleMinor: 100 * percent, commissionMinor: 8 * percent };
    return {
      ...original,
      ...amounts,
      parts: [{ groupId: "101", groupCode: "DEFAULT", ...amounts }],
      correction: { rowId: `row-${++lastRow}`, isOriginal: false },
      modifiedAt: new Date(original.modifiedAt.getTime() + lastRow * 60_000),
      ...more,
    };
  };
  return {
    original,
    correction,
    memberId: club.memberId,
    record: (reported: ReportedTransaction, at = now) =>
      recordReportedTransaction(db, { networkId: home.networkId, reported, now: at }),
    balances: async () => (await findCashbackTimeline(db, { memberId: club.memberId, now })).balances,
  };
}
const orders = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => orders(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]));

describe("C2 corrections that are rows of their own", () => {
  test("C2 a correction that arrives before its original waits for it, and moves nothing until then", async () => {
    const { original, correction, record, balances } = await purchase();
    const waitingBefore = await countWaitingCorrections(db);
    expect(await record(correction(-50))).toEqual({ outcome: "waiting", heldBecause: null, changes: [] });
    expect(await countWaitingCorrections(db)).toBe(waitingBefore + 1);
    expect(await balances()).toMatchObject({ trackedPence: 0 });
    expect((await record(original)).changes).toEqual(["tracked"]);
    expect(await balances()).toMatchObject({ trackedPence: 300 });
    expect(await countWaitingCorrections(db)).toBe(waitingBefore);
  });

  test("C2 rows in any order, each three times, end in the same balance", async () => {
    for (const order of orders([0, 1, 2])) {
      const { original, correction, record, balances } = await purchase();
      const rows = [original, correction(-30), correction(-20)];
      for (const at of [...order, ...order, ...order]) await record(rows[at]!);
      expect(await balances()).toMatchObject({ trackedPence: 300 });
    }
  });

  test("C2 rows that arrive at once from several processes are summed once", async () => {
    const { original, correction, record, balances } = await purchase();
    const rows = [original, correction(-30), correction(-20), correction(-10)];
    await Promise.all([...rows, ...rows, ...rows].map((row) => record(row)));
    expect(await balances()).toMatchObject({ trackedPence: 240 });
  });

  test("C4 corrections larger than the original take back the original and no more, before and after it is paid", async () => {
    const early = await purchase();
    await early.record(early.original);
    await early.record(early.correction(-150, { reason: "returned" }));
    expect(await early.balances()).toMatchObject({ trackedPence: 0, confirmedPence: 0, payablePence: 0 });

    const late = await purchase({ status: "approved", paidToPublisher: true });
    await late.record(late.original);
    expect(await late.balances()).toMatchObject({ payablePence: 600 });
    expect(await payMember(db, { memberId: late.memberId, now })).toMatchObject({ outcome: "paid", paidPence: 600 });
    await late.record(late.correction(-150, { reason: "returned" }));
    await late.record(late.correction(-150, { reason: "returned" }));
    expect(await late.balances()).toMatchObject({ payablePence: -600, paidPence: 600 });
  });

  test("C3 a sale that was taken back and is restated is reinstated at the new amount", async () => {
    const { original, correction, record, balances } = await purchase();
    await record(original);
    expect((await record(correction(-100, { reason: "cancelled" }))).changes).toEqual(["declined"]);
    expect((await record(correction(40))).changes).toContain("reinstated");
    expect(await balances()).toMatchObject({ trackedPence: 240 });
  });

  test("C2 a row is read again by its own id while its sale is not paid for", async () => {
    const { original, correction, record } = await purchase({ status: "approved" });
    const rows = [original, correction(-10, { status: "approved" })];
    for (const row of rows) await record(row);
    const unpaid = await findUnpaidIds(db, {
      networkId: home.networkId,
      askedBefore: new Date(now.getTime() + DAY_MS),
      limit: 100,
    });
    const ids = unpaid.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(rows.map((row) => row.correction!.rowId)));
    expect(ids).not.toContain(original.networkTransactionId);
  });
});

describe("C3 a network that reports no status", () => {
  const approvedFrom = new Date(now.getTime() + 60 * DAY_MS);
  const paidFrom = new Date(now.getTime() + 70 * DAY_MS);
  const readUntil = async (coveredUntil: Date) => {
    await claimPass(db, { networkId: home.networkId, pass: "transaction", now, everyMs: 0 });
    await finishPass(db, { networkId: home.networkId, pass: "transaction", result: { coveredUntil } });
  };

  test("C3 the calendar approves and pays a sale, once the report has been read up to the date", async () => {
    const { original, record, balances } = await purchase({ calendar: { approvedFrom, paidFrom } });
    await record(original);
    await readUntil(now);
    expect(await settleDueByCalendar(db, { now: approvedFrom })).toBe(0);
    await readUntil(paidFrom);
    expect(await settleDueByCalendar(db, { now: new Date(approvedFrom.getTime() - 1) })).toBe(0);
    expect(await settleDueByCalendar(db, { now: approvedFrom })).toBe(1);
    expect(await balances()).toMatchObject({ confirmedPence: 600, payablePence: 0 });
    expect(await settleDueByCalendar(db, { now: approvedFrom })).toBe(0);
    expect(await settleDueByCalendar(db, { now: paidFrom })).toBe(1);
    expect(await balances()).toMatchObject({ confirmedPence: 0, payablePence: 600 });
    expect(await settleDueByCalendar(db, { now: paidFrom })).toBe(0);
  });

  test("C3 a sale that the calendar can't approve holds up no other, however many there are", async () => {
    const [broken, other] = [
      await purchase({ calendar: { approvedFrom, paidFrom } }),
      await purchase({ calendar: { approvedFrom, paidFrom } }),
    ];
    for (const { record, original } of [broken, other]) await record(original);
    await readUntil(paidFrom);
    const brokenId = broken.original.networkTransactionId;
    await sql
      .raw(
        `alter table network_transactions add constraint broken check (network_transaction_id <> '${brokenId}') not valid`,
      )
      .execute(db);
    const settle = () => settleDueByCalendar(db, { now: approvedFrom, batch: 1 });
    await expect(settle()).rejects.toThrow("1 failed and 1 were done.");
    await sql`alter table network_transactions drop constraint broken`.execute(db);
    expect(await broken.balances()).toMatchObject({ trackedPence: 600, confirmedPence: 0 });
    expect(await other.balances()).toMatchObject({ trackedPence: 0, confirmedPence: 600 });
    expect(await settle()).toBe(1);
    expect(await settleDueByCalendar(db, { now: paidFrom, batch: 1 })).toBe(2);
  });

  test("C3 a sale that was taken back is never approved by the calendar", async () => {
    const { original, correction, record, balances } = await purchase({ calendar: { approvedFrom, paidFrom } });
    await record(original);
    await record(correction(-100));
    await readUntil(paidFrom);
    expect(await settleDueByCalendar(db, { now: paidFrom })).toBe(0);
    expect(await balances()).toMatchObject({ trackedPence: 0, confirmedPence: 0, payablePence: 0 });
  });
});

test("C2 a lead earns the member's share of its commission where the rate is a percentage", async () => {
  const { original, record, balances } = await purchase({
    kind: "lead",
    saleMinor: 0,
    commissionMinor: 1_000,
    parts: [],
  });
  await record(original);
  const { trackedPence } = await balances();
  expect(trackedPence).toBeGreaterThan(0);
  expect(trackedPence).toBeLessThan(1_000);
});

test("C5 the network's own exchange rate is used before the club's table", async () => {
  const { original, record, balances } = await purchase({ currency: "EUR", exchangeRateMicros: 500_000 });
  expect((await record(original)).heldBecause).toBeNull();
  expect(await balances()).toMatchObject({ trackedPence: 300 });
});

test("C5 a row in another currency than its sale is refused, and changes nothing", async () => {
  const { original, correction, record, balances } = await purchase();
  await record(original);
  await expect(record(correction(-50, { currency: "JPY" }))).rejects.toThrow(
    /rows in GBP and JPY, which can't be added/,
  );
  expect(await balances()).toMatchObject({ trackedPence: 600 });
  await record(correction(-50));
  expect(await balances()).toMatchObject({ trackedPence: 300 });
});

test("C4 the books balance and agree with the entries after all of this", async () => {
  expect(await checkLedger(db)).toMatchObject({ faults: [] });
  expect(await checkCashback(db)).toEqual([]);
});

describe("C2 a sale of several items", () => {
  const item = (status: "pending" | "approved" | "declined", saleMinor: number) => ({
    groupId: "1",
    groupCode: null,
    saleMinor,
    commissionMinor: saleMinor / 10,
    status,
    reason: status === "declined" ? ("returned" as const) : null,
  });

  test.each([
    ["pending while one item is", [item("approved", 100), item("pending", 50)], "pending", 150, null],
    ["approved without its declined items", [item("approved", 100), item("declined", 50)], "approved", 100, "amended"],
    [
      "declined at its full amount when all items are",
      [item("declined", 100), item("declined", 50)],
      "declined",
      150,
      "returned",
    ],
    ["approved when all items are", [item("approved", 100)], "approved", 100, null],
  ] as const)("C2 it is %s", (_, items, status, saleMinor, reason) => {
    expect(sumItems(items)).toMatchObject({ status, saleMinor, commissionMinor: saleMinor / 10, reason });
  });

  test("C2 a sale without items is refused", () => expect(() => sumItems([])).toThrow(RangeError));
});
