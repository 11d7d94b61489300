import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { makeClick, makeClub, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { checkCashback } from "../cashback/check.server.ts";
import { findPurchase } from "../cashback/find-history.server.ts";
import { findMoney } from "../cashback/find-money.server.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { measureTimings } from "../cashback/timings.server.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { chooseMails } from "../mail-choices/operations.server.ts";
import { mailContent } from "../mails/mail.ts";
import { watchPurchases } from "./watch-purchases.server.ts";

const { db } = await testDatabase({ max: 8 });
const keys = ["a key"] as const;
const DAY = 86_400_000;
const bought = new Date("2026-10-01T10:00:00Z");
const after = (days: number) => new Date(bought.getTime() + days * DAY);
let club: ClubForTests;
let networks = 0;

beforeEach(async () => {
  // Those of earlier tests are left alone.
  await db
    .updateTable("cashback_watches")
    .set({ next_look_at: after(100_000) })
    .execute();
  networks += 1;
  club = await makeClub(db, { networkSlug: `network-${networks}` });
});

const report = (reported: ReportedTransaction, now: Date) =>
  recordReportedTransaction(db, { networkId: club.networkId, reported, now });

/** Records a purchase, and returns its entry's id and how to report it again, a number of days later. */
async function buy(changes: Partial<ReportedTransaction> = {}) {
  const createdAt = changes.purchasedAt ?? bought;
  const sale = reportedSale(club, await makeClick(db, club, { createdAt }), {
    modifiedAt: createdAt,
    observedAt: createdAt,
    ...changes,
  });
  await report(sale, createdAt);
  const { id } = await db
    .selectFrom("cashback_entries as entry")
    .innerJoin("network_transactions as known", "known.id", "entry.network_transaction_id")
    .select("entry.id")
    .where("known.network_transaction_id", "=", sale.networkTransactionId)
    .executeTakeFirstOrThrow();
  const again = (days: number, next: Partial<ReportedTransaction>) => {
    const at = new Date(createdAt.getTime() + days * DAY);
    return report({ ...sale, ...next, modifiedAt: at, observedAt: at }, at);
  };
  const told = async () => {
    const purchase = await findPurchase(db, { memberId: club.memberId, entryId: id, now: after(0) });
    return purchase!.told.map(({ awaits, range, because }) => [awaits, range?.from, range?.to, because]);
  };
  return { id, again, told };
}

const watches = () =>
  db.selectFrom("cashback_watches").select("entry_id").where("member_id", "=", club.memberId).execute();
const look = (now: Date) => watchPurchases(db, { keys, now });
const mails = async () => {
  const brand = { name: "Club", strapline: "", supportEmail: "help@club.example" };
  const rows = await db
    .selectFrom("mails")
    .selectAll()
    .where("member_id", "=", club.memberId)
    .where("kind", "=", "cashback-overdue")
    .orderBy("id")
    .execute();
  return rows.map(({ kind, data }) => mailContent(kind, data, brand));
};

describe("C3 purchases are watched", () => {
  test("C3 the range is told with its reason, and told again when the purchase is confirmed", async () => {
    const { again, told } = await buy();
    const promised = [
      "confirmation",
      after(35),
      after(75),
      "This is what the retailer promised when you followed our link.",
    ];
    expect(await told()).toEqual([promised]);
    await again(40, { status: "approved" });
    expect(await told()).toEqual([
      ["payment", after(70), after(100), expect.stringContaining("The retailer has confirmed it.")],
      promised,
    ]);
    await again(50, { status: "approved", paidToPublisher: true });
    expect(await watches()).toEqual([]);
    expect(await told()).toHaveLength(2);
    expect(await checkCashback(db)).toEqual([]);
  });

  test("C3 the network's own date and a history of the retailer revise the range, once each", async () => {
    const { again, told } = await buy();
    await again(1, { locksAt: after(60) });
    await again(2, { locksAt: after(60), orderReference: "ORDER-2" });
    expect((await told()).map(([, from, to]) => [from, to])).toEqual([
      [after(45), after(62)],
      [after(35), after(75)],
    ]);
    const other = await buy({ purchasedAt: after(1) });
    for (let count = 0; count < 6; count += 1) {
      const quick = await buy({ purchasedAt: after(-60 - count) });
      await quick.again(10, { status: "approved" });
      await quick.again(20, { status: "approved", paidToPublisher: true });
    }
    expect(await measureTimings(db, { now: after(5) })).toBeGreaterThan(0);
    const timing = await db
      .selectFrom("cashback_timings")
      .select(["step", "sample", "p50_days", "p90_days"])
      .where("subject_id", "=", club.shop.retailerId)
      .where("step", "<>", "tracking")
      .orderBy("step")
      .execute();
    expect(timing).toEqual([
      { step: "confirmation", sample: 6, p50_days: 10, p90_days: 10 },
      { step: "payment", sample: 6, p50_days: 10, p90_days: 10 },
    ]);
    await look(after(9));
    await look(after(17));
    expect((await other.told()).map(([, , , because]) => because)).toEqual([
      "This is how long the retailer has taken with other members’ purchases in the last year.",
      "This is what the retailer promised when you followed our link.",
    ]);
    expect(await measureTimings(db, { now: after(800) }), "a year later the history is over").toBe(0);
    expect(await db.selectFrom("cashback_timings").select("sample").execute()).toEqual([]);
  });

  test("C3 an overdue purchase is marked a day after its range, and its member is told once, whoever looks", async () => {
    const { id } = await buy();
    const purchase = async (now: Date) => (await findPurchase(db, { memberId: club.memberId, entryId: id, now }))!;
    await look(new Date(after(76).getTime() - 1));
    expect(await mails()).toEqual([]);
    expect(await purchase(new Date(after(76).getTime() - 1))).toMatchObject({ isOverdue: false, reason: null });

    const rounds = await Promise.all([look(after(76)), look(after(76)), look(after(76))]);
    expect(rounds.reduce((sum, { overdue }) => sum + overdue, 0)).toBe(1);
    await look(after(90));
    await look(after(120));
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      `£6.00 cashback is late: ${club.shop.retailerSlug}`,
    ]);
    expect(JSON.stringify((await mails())[0])).toContain(
      "expected by 15 December 2026, and the shop has not confirmed it yet",
    );
    expect(await purchase(after(76))).toMatchObject({
      isOverdue: true,
      reason: "The retailer is taking longer than usual to confirm this.",
    });
    const { overdue, next } = await findMoney(db, { memberId: club.memberId, now: after(76) });
    expect({ overdue, next }).toMatchObject({ overdue: { purchases: 1, pence: 600, first: { id } }, next: [] });
  });

  test("C3 purchases that become overdue together make one mail, and a later range ends the delay", async () => {
    const first = await buy();
    await buy();
    await look(after(76));
    expect((await mails()).map(({ subject }) => subject)).toEqual(["£12.00 cashback is late: 2 purchases"]);
    await first.again(77, { locksAt: after(150) });
    const purchase = await findPurchase(db, { memberId: club.memberId, entryId: first.id, now: after(78) });
    expect(purchase?.isOverdue).toBe(false);
  });

  test("M9 a member who wants no such mail gets none, and the purchase is marked all the same", async () => {
    await buy();
    const brand = { id: club.brandId, name: "Club" };
    const wanted = { "cashback-confirmed": false };
    await chooseMails(db, { brand, memberId: club.memberId, wanted, way: "page", now: after(0) });
    expect(await look(after(76))).toMatchObject({ overdue: 1, failed: 0 });
    expect(await mails()).toEqual([]);
  });

  test("M9 a suspended member gets no such mail", async () => {
    await buy();
    await db
      .updateTable("members")
      .set({ suspended_at: after(1) })
      .where("id", "=", club.memberId)
      .execute();
    expect(await look(after(76))).toMatchObject({ overdue: 1, failed: 0 });
    expect(await mails()).toEqual([]);
  });

  test("R1 a member whose mail can't be queued delays nobody else, and is looked at again", async () => {
    const broken = club;
    await buy();
    club = await makeClub(db, { networkSlug: "network-other" });
    await buy();
    await sql`create or replace function refuse_one() returns trigger language plpgsql as $$ begin
      if new.member_id = ${sql.lit(broken.memberId)} then raise exception 'no mail'; end if; return new; end $$`.execute(
      db,
    );
    await sql`create trigger refuse_one before insert on mails for each row execute function refuse_one()`.execute(db);
    try {
      expect(await look(after(76))).toEqual({ looked: 2, overdue: 1, failed: 1 });
    } finally {
      await sql`drop trigger refuse_one on mails`.execute(db);
    }
    expect(await mails()).toHaveLength(1);
    expect(await look(after(76.1))).toEqual({ looked: 1, overdue: 1, failed: 0 });
    club = broken;
    expect(await mails()).toHaveLength(1);
  });

  test("C3 a reinstated purchase is watched again, and its revisions go on counting", async () => {
    const { again, told } = await buy();
    await again(10, { status: "declined", reason: "returned" });
    expect(await watches()).toEqual([]);
    await again(20, { status: "pending" });
    expect(await told()).toHaveLength(2);
    expect(await checkCashback(db)).toEqual([]);
  });
});
