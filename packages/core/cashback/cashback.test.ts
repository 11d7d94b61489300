import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { makeShop } from "../clicks/clicks.testing.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { setExchangeRate } from "../networks/exchange-rates.server.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import type { CashbackState } from "./cashback-view.ts";
import { makeClick, makeClub, reportedSale, type ClubForTests, payMember } from "./cashback.testing.ts";
import { checkCashback } from "./check.server.ts";
import { creditHeldTransactions, recordReportedTransaction } from "./operations.server.ts";
import { findCashbackTimeline } from "./queries.server.ts";
import { CASHBACK_TRANSITIONS } from "./rules.ts";

const { db, pool } = await testDatabase();
let home: ClubForTests;
beforeAll(async () => {
  home = await makeClub(db);
});

const now = new Date("2026-11-20T12:00:00Z");
const record = (reported: ReportedTransaction, at = now) =>
  recordReportedTransaction(db, { networkId: home.networkId, reported, now: at });
/** A new member with a click, so that balances start at zero. */
async function newcomer(options: Parameters<typeof makeClick>[2] = {}) {
  const club = { ...home, memberId: (await insertVerifiedMember(db, { brandId: home.brandId })).id };
  return { club, memberId: club.memberId, reference: await makeClick(db, club, options) };
}
const timeline = (memberId: string) => findCashbackTimeline(db, { memberId, now });
const balances = async (memberId: string) => Object.values((await timeline(memberId)).balances);
async function expectBooksInOrder() {
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
}

describe("C3 from purchase to payment", () => {
  test("C3 a purchase is tracked, confirmed, payable and paid, and the ledger moves with it", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    expect(await record(sale)).toEqual({ outcome: "new", heldBecause: null, changes: ["tracked"] });
    expect(await balances(memberId)).toEqual([600, 0, 0, 0]);
    expect((await record({ ...sale, ...later(sale, 1), status: "approved" })).changes).toEqual(["confirmed"]);
    expect(await balances(memberId)).toEqual([0, 600, 0, 0]);
    expect((await record({ ...sale, ...later(sale, 2), status: "approved", paidToPublisher: true })).changes).toEqual([
      "payable",
    ]);
    expect(await balances(memberId)).toEqual([0, 0, 600, 0]);
    expect(await payMember(db, { memberId, now })).toEqual({ outcome: "paid", paidPence: 600, entries: 1 });
    expect(await balances(memberId)).toEqual([0, 0, 0, 600]);
    expect((await timeline(memberId)).items[0]!.steps.map((step) => [step.step, step.at !== null])).toEqual([
      ["clicked", true],
      ["tracked", true],
      ["confirmed", true],
      ["payable", true],
      ["paid", true],
    ]);
    await expectBooksInOrder();
  });

  test("C3 the timeline gives the expected confirmation that was promised at the click", async () => {
    const { club, memberId, reference } = await newcomer();
    await record(reportedSale(club, reference));
    const [item] = (await timeline(memberId)).items;
    expect(item).toMatchObject({
      state: "tracked",
      purchasePence: 10_000,
      cashbackPence: 600,
      reason: null,
      retailer: { slug: home.shop.retailerSlug },
      offerTitle: "Cashback on everything",
    });
    expect(item!.steps[2]).toEqual({
      step: "confirmed",
      at: null,
      expected: { from: new Date("2026-11-05T10:00:00Z"), to: new Date("2026-12-15T10:00:00Z") },
    });
    const traveller = await newcomer({
      tracking: {
        tracksWithinDays: { min: 1, max: 3 },
        confirmsWithinDays: { min: 30, max: 60 },
        confirmsAfter: "travel",
      },
    });
    await record(reportedSale(traveller.club, traveller.reference));
    const [trip] = (await timeline(traveller.memberId)).items;
    expect({ expected: trip!.steps[2]!.expected, reason: trip!.reason }).toEqual({
      expected: null,
      reason: "This retailer confirms cashback after you have travelled.",
    });
  });

  test("C5 a boost above the commission is paid in full: the books carry the loss as a negative share of the club", async () => {
    const { club, memberId, reference } = await newcomer({ tiers: [{ groupId: "101", rateBp: 1200 }] });
    const sale = reportedSale(club, reference);
    await record(sale);
    expect(await balances(memberId)).toEqual([1200, 0, 0, 0]);
    await record({ ...sale, ...later(sale, 1), status: "approved", paidToPublisher: true });
    const legs = await sql<{ kind: string; amount: string }>`
      select account.account_kind as kind, sum(leg.amount_pence) as amount from ledger_entries leg
      join ledger_accounts account on account.id = leg.account_id join ledger_transfers transfer on transfer.id = leg.transfer_id
      join cashback_entries entry on entry.id::text = transfer.cause_id::text
      where entry.member_id = ${memberId} group by 1 having sum(leg.amount_pence) <> 0 order by 1`.execute(db);
    expect(legs.rows.map(({ kind, amount }) => [kind, Number(amount)])).toEqual([
      ["club_earned", -400],
      ["member_payable", 1200],
      ["network_received", -800],
    ]);
    expect(await payMember(db, { memberId, now })).toEqual({ outcome: "paid", paidPence: 1200, entries: 1 });
    await expectBooksInOrder();
  });

  test("C3 a decline removes the money and gives the reason", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    await record(sale);
    expect((await record({ ...sale, ...later(sale, 1), status: "declined", reason: "returned" })).changes).toEqual([
      "declined",
    ]);
    expect(await balances(memberId)).toEqual([0, 0, 0, 0]);
    expect((await timeline(memberId)).items).toMatchObject([
      { state: "declined", cashbackPence: 600, reason: "The retailer told us the order was returned or refunded." },
    ]);
    expect((await record({ ...sale, ...later(sale, 2), status: "approved" })).changes).toEqual([
      "reinstated",
      "confirmed",
    ]);
    expect(await balances(memberId)).toEqual([0, 600, 0, 0]);
    await expectBooksInOrder();
  });

  test("C3 an amendment posts the difference, also from zero", async () => {
    const { club, memberId, reference } = await newcomer();
    const untracked = reportedSale(club, reference, { commissionMinor: 0 });
    expect((await record(untracked)).changes).toEqual(["tracked"]);
    expect(await balances(memberId)).toEqual([0, 0, 0, 0]);
    const uplifted = reportedSale(club, reference, {
      ...later(untracked, 1),
      networkTransactionId: untracked.networkTransactionId,
    });
    expect((await record(uplifted)).changes).toEqual(["amended"]);
    expect(await balances(memberId)).toEqual([600, 0, 0, 0]);
    const halved = reportedSale(club, reference, {
      ...later(untracked, 2),
      networkTransactionId: untracked.networkTransactionId,
      saleMinor: 5_000,
      commissionMinor: 400,
    });
    await record(halved);
    expect(await balances(memberId)).toEqual([300, 0, 0, 0]);
    expect((await timeline(memberId)).items[0]!.reason).toBe("The retailer changed the amount of the order.");
    const changes = await db
      .selectFrom("cashback_changes")
      .innerJoin("cashback_entries", "id", "entry_id")
      .select(["change_kind", "difference_pence"])
      .where("member_id", "=", memberId)
      .orderBy("cashback_changes.version")
      .execute();
    expect(changes.map((change) => [change.change_kind, change.difference_pence])).toEqual([
      ["tracked", 0],
      ["amended", 600],
      ["amended", -300],
    ]);
    await expectBooksInOrder();
  });

  test("C3 an amount that changes and changes back is posted both times", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    const half = {
      saleMinor: 5_000,
      commissionMinor: 400,
      parts: [{ groupId: "101", groupCode: null, saleMinor: 5_000, commissionMinor: 400 }],
    };
    const asked = (minutes: number) => new Date(sale.observedAt.getTime() + minutes * 60_000);
    await record(sale);
    await record({ ...sale, ...half, observedAt: asked(1) });
    expect(await balances(memberId)).toEqual([300, 0, 0, 0]);
    await record({ ...sale, observedAt: asked(2) });
    expect(await balances(memberId)).toEqual([600, 0, 0, 0]);
  });
});

describe("C3 after a purchase is payable", () => {
  async function payable() {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference, { minute: 1, status: "approved", paidToPublisher: true });
    expect((await record(sale)).changes).toEqual(["tracked", "confirmed", "payable"]);
    return { club, memberId, sale };
  }

  test("C3 a decline before payment is a correction, and both together pay nothing", async () => {
    const { memberId, sale } = await payable();
    expect((await record({ ...sale, ...later(sale, 2), status: "declined", reason: "cancelled" })).changes).toEqual([
      "corrected",
    ]);
    expect(await balances(memberId)).toEqual([0, 0, 0, 0]);
    expect((await timeline(memberId)).items).toMatchObject([
      {
        state: "payable",
        cashbackPence: -600,
        reason: "The retailer told us the order was cancelled. This corrects cashback that was already payable.",
      },
      { state: "payable", cashbackPence: 600, reason: null },
    ]);
    expect(await payMember(db, { memberId, now })).toEqual({ outcome: "nothing-to-pay", balancePence: 0 });
    await expectBooksInOrder();
  });

  test("C3 a decline after payment is deducted from the next earnings, and no payment is negative", async () => {
    const { club, memberId, sale } = await payable();
    await payMember(db, { memberId, now });
    await record({ ...sale, ...later(sale, 2), status: "declined", reason: "returned" });
    expect(await balances(memberId)).toEqual([0, 0, -600, 600]);
    expect(await payMember(db, { memberId, now })).toEqual({ outcome: "nothing-to-pay", balancePence: -600 });
    const next = reportedSale(club, await makeClick(db, club), {
      minute: 5,
      status: "approved",
      paidToPublisher: true,
      saleMinor: 20_000,
      commissionMinor: 1_600,
    });
    await record(next);
    expect(await payMember(db, { memberId, now })).toEqual({ outcome: "paid", paidPence: 600, entries: 2 });
    expect(await balances(memberId)).toEqual([0, 0, 0, 1_200]);
    await expectBooksInOrder();
  });

  test("C6 ten concurrent payments pay once", async () => {
    const { memberId } = await payable();
    const results = await Promise.all(Array.from({ length: 10 }, () => payMember(db, { memberId, now })));
    expect(results.filter((result) => result.outcome === "paid")).toHaveLength(1);
    expect(await balances(memberId)).toEqual([0, 0, 0, 600]);
  });
});

describe("C2 repeated and unordered revisions", () => {
  test("C2 twenty concurrent copies of one revision are one purchase", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    const results = await Promise.all(Array.from({ length: 20 }, () => record(sale)));
    expect(results.filter((result) => result.outcome === "new")).toHaveLength(1);
    expect(results.filter((result) => result.outcome === "unchanged")).toHaveLength(19);
    expect(await balances(memberId)).toEqual([600, 0, 0, 0]);
    expect((await timeline(memberId)).items).toHaveLength(1);
  });

  test("C2 an older revision after a newer one is stale and changes nothing", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    await record({ ...sale, ...later(sale, 5), status: "declined" });
    expect(await record(sale)).toMatchObject({ outcome: "stale", changes: [] });
    expect(await record({ ...sale, ...later(sale, 3), status: "approved" })).toMatchObject({
      outcome: "stale",
      changes: [],
    });
    expect(await balances(memberId)).toEqual([0, 0, 0, 0]);
  });

  test("C2 every revision is stored raw, in order, and cannot be changed", async () => {
    const { club, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    await record(sale);
    await record({ ...sale, ...later(sale, 1), status: "approved", raw: { second: true } });
    const revisions = await db
      .selectFrom("network_transaction_revisions as revision")
      .innerJoin("network_transactions as transaction", "transaction.id", "revision.transaction_id")
      .select(["revision.revision_number", "revision.raw"])
      .where("network_transaction_id", "=", sale.networkTransactionId)
      .orderBy("revision.revision_number")
      .execute();
    expect(revisions).toEqual([
      { revision_number: 1, raw: { sample: true } },
      { revision_number: 2, raw: { second: true } },
    ]);
    await expect(pool.query("delete from network_transaction_revisions")).rejects.toThrow(/written once/);
  });
});

describe("C3 purchases that cannot be credited", () => {
  const held = async (reported: ReportedTransaction) => {
    const result = await record(reported);
    expect(result.changes).toEqual([]);
    const stored = await db
      .selectFrom("network_transactions")
      .select(["held_because", "click_id"])
      .where("network_transaction_id", "=", reported.networkTransactionId)
      .executeTakeFirstOrThrow();
    expect(stored.held_because).toBe(result.heldBecause);
    return result.heldBecause;
  };

  test("C3 a transaction without its reference is held and moves no money; with the reference it is credited", async () => {
    const { club, memberId, reference } = await newcomer();
    const lost = reportedSale(club, null);
    expect(await held(lost)).toBe("no_reference");
    expect(await held(reportedSale(club, "R".repeat(22)))).toBe("unknown_reference");
    expect(await balances(memberId)).toEqual([0, 0, 0, 0]);
    expect((await record({ ...lost, ...later(lost, 1), clickReference: reference })).changes).toEqual(["tracked"]);
    expect((await record({ ...lost, ...later(lost, 2), status: "approved" })).changes).toEqual(["confirmed"]); // lost again: still theirs
    expect(await balances(memberId)).toEqual([0, 600, 0, 0]);
  });

  test("C3 a reference used at another retailer earns nothing", async () => {
    const { club, reference } = await newcomer();
    const other = await makeShop(db, { brandId: home.brandId, networkId: home.networkId });
    expect(await held({ ...reportedSale(club, reference), networkProgrammeId: other.networkProgrammeId })).toBe(
      "other_retailer",
    );
  });

  test("C2 a reference of another network earns nothing", async () => {
    const { club, reference } = await newcomer();
    const otherNetwork = (await insertNetwork(db, { slug: "cj" })).id;
    expect(
      await recordReportedTransaction(db, { networkId: otherNetwork, reported: reportedSale(club, reference), now }),
    ).toMatchObject({ heldBecause: "unknown_reference", changes: [] });
  });

  test("C3 a transaction of an unknown programme is held until the programme is imported", async () => {
    const { club, memberId, reference } = await newcomer();
    expect(await held({ ...reportedSale(club, reference), networkProgrammeId: "999000111" })).toBe("unknown_programme");
    expect(await creditHeldTransactions(db, { now })).toBe(0);
    await db
      .updateTable("programmes")
      .set({ network_programme_id: "999000111" })
      .where("id", "=", home.shop.programmeId)
      .execute();
    expect(await creditHeldTransactions(db, { now })).toBe(1);
    await db
      .updateTable("programmes")
      .set({ network_programme_id: home.shop.networkProgrammeId })
      .where("id", "=", home.shop.programmeId)
      .execute();
    expect(await balances(memberId)).toEqual([600, 0, 0, 0]);
  });

  test("C3 a sale that can be credited is, however many before it stay held", async () => {
    const { club, memberId, reference } = await newcomer();
    for (let sale = 0; sale < 3; sale++)
      expect(await held({ ...reportedSale(club, reference), currency: "XTS" })).toBe("no_exchange_rate");
    const { outcome } = await record({ ...reportedSale(club, reference), currency: "ISK" });
    expect(outcome).toBe("new");
    await setExchangeRate(db, { currency: "ISK", rateMicros: 6_000, validFrom: new Date("2026-09-01") });
    expect(await creditHeldTransactions(db, { now, batch: 2 })).toBe(1);
    expect(await balances(memberId)).toEqual([360, 0, 0, 0]); // 10,000 kr = £60, of which 6 %
  });

  test("C3 a held sale that can't be credited holds up nobody else's", async () => {
    const [broken, other] = [await newcomer(), await newcomer()];
    for (const { club, reference } of [broken, other])
      expect(await held({ ...reportedSale(club, reference), currency: "NOK" })).toBe("no_exchange_rate");
    await setExchangeRate(db, { currency: "NOK", rateMicros: 80_000, validFrom: new Date("2026-09-01") });
    await sql
      .raw(`alter table cashback_entries add constraint broken check (member_id <> '${broken.memberId}') not valid`)
      .execute(db);
    await expect(creditHeldTransactions(db, { now })).rejects.toThrow("1 failed and 1 were done.");
    await sql`alter table cashback_entries drop constraint broken`.execute(db);
    expect([await balances(broken.memberId), await balances(other.memberId)]).toEqual([
      [0, 0, 0, 0],
      [48, 0, 0, 0], // 100.00 kr = £8.00, of which 6 %
    ]);
    expect(await creditHeldTransactions(db, { now })).toBe(1);
  });

  test("C3 a foreign currency is converted at the rate of the purchase's day, and an amendment at the same rate", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = { ...reportedSale(club, reference), currency: "SEK" };
    expect(await held(sale)).toBe("no_exchange_rate");
    await setExchangeRate(db, { currency: "SEK", rateMicros: 75_000, validFrom: new Date("2026-09-01") });
    expect(await creditHeldTransactions(db, { now })).toBe(1);
    expect(await balances(memberId)).toEqual([45, 0, 0, 0]); // 100.00 kr = £7.50, of which 6 %
    await setExchangeRate(db, { currency: "SEK", rateMicros: 150_000, validFrom: new Date("2026-09-02") });
    await record({
      ...sale,
      ...later(sale, 1),
      parts: [{ groupId: "101", groupCode: null, saleMinor: 20_000, commissionMinor: 1_600 }],
      saleMinor: 20_000,
      commissionMinor: 1_600,
    });
    expect(await balances(memberId)).toEqual([90, 0, 0, 0]);
  });
});

describe("C5 a sale whose currency changes", () => {
  const amounts = (saleMinor: number, commissionMinor: number) => ({
    ...{ saleMinor, commissionMinor, parts: [{ groupId: "101", groupCode: null, saleMinor, commissionMinor }] },
  });

  test("C5 is converted at the new currency's rate, and back at par", async () => {
    const { club, memberId, reference } = await newcomer();
    await setExchangeRate(db, { currency: "JPY", rateMicros: 5_200, validFrom: new Date("2026-09-01") });
    const sale = reportedSale(club, reference);
    await record(sale);
    await record({ ...sale, ...later(sale, 1), ...amounts(19_000, 1_520), currency: "JPY" });
    expect(await balances(memberId)).toEqual([592, 0, 0, 0]); // ¥19,000 = £98.80, of which 6 %
    await record({ ...sale, ...later(sale, 2), ...amounts(20_000, 1_600) });
    expect(await balances(memberId)).toEqual([1_200, 0, 0, 0]);
    await expectBooksInOrder();
  });

  test("C5 waits for the new currency's rate, whatever has become payable, and keeps its member", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    const paid = { status: "approved", paidToPublisher: true } as const;
    await record({ ...sale, ...paid });
    expect(await balances(memberId)).toEqual([0, 0, 600, 0]);
    const foreign = {
      ...sale,
      ...later(sale, 1),
      ...paid,
      ...amounts(10_000, 800),
      currency: "TRY",
      clickReference: null,
    };
    expect((await record(foreign)).heldBecause).toBe("no_exchange_rate");
    expect(await balances(memberId)).toEqual([0, 0, 600, 0]);
    await setExchangeRate(db, { currency: "TRY", rateMicros: 25_000, validFrom: new Date("2026-09-01") });
    expect(await creditHeldTransactions(db, { now })).toBe(1);
    expect(await balances(memberId)).toEqual([0, 0, 15, 0]); // 100.00 lira = £2.50, of which 6 %
    await expectBooksInOrder();
  });
});

describe("C3 an order that grows after it has become payable", () => {
  test("C3 earns more once the network has approved and paid the rest, and loses at once what is sent back", async () => {
    const { club, memberId, reference } = await newcomer();
    const sale = reportedSale(club, reference);
    const grown = { parts: [], saleMinor: 60_000, commissionMinor: 4_800 };
    const paid = { status: "approved", paidToPublisher: true } as const;
    await record({ ...sale, ...paid });
    await record({ ...sale, ...later(sale, 1), ...grown });
    expect(await balances(memberId)).toEqual([0, 0, 600, 0]);
    await record({ ...sale, ...later(sale, 2), ...grown, status: "approved" });
    expect(await balances(memberId)).toEqual([0, 0, 600, 0]);
    await record({ ...sale, ...later(sale, 3), ...grown, ...paid });
    expect(await balances(memberId)).toEqual([0, 0, 3_600, 0]);
    await record({ ...sale, ...later(sale, 4), parts: [], saleMinor: 5_000, commissionMinor: 400 });
    expect(await balances(memberId)).toEqual([0, 0, 300, 0]);
    await expectBooksInOrder();
  });
});

describe("C3 clicks that are not tracked yet", () => {
  test("C3 the latest click at a retailer is open until it leads to a purchase or is too old", async () => {
    const { club, memberId, reference } = await newcomer({ createdAt: new Date("2026-11-18T09:00:00Z") });
    expect((await timeline(memberId)).openClicks).toMatchObject([
      { retailer: { slug: home.shop.retailerSlug }, tracksBy: new Date("2026-11-21T09:00:00Z") },
    ]);
    await record(reportedSale(club, reference));
    expect((await timeline(memberId)).openClicks).toEqual([]);
    await makeClick(db, club, { createdAt: new Date("2026-11-19T09:00:00Z") });
    expect((await timeline(memberId)).openClicks).toHaveLength(1);
    const long = await newcomer({ createdAt: new Date("2026-06-01T09:00:00Z") });
    const without = await newcomer({ createdAt: new Date("2026-11-18T09:00:00Z"), tiers: [] });
    expect(await timeline(long.memberId)).toMatchObject({ openClicks: [] });
    expect(await timeline(without.memberId)).toMatchObject({ openClicks: [] });
    const nothing = await newcomer({
      createdAt: new Date("2026-11-18T09:00:00Z"),
      tiers: [{ groupId: "101", rateBp: 0 }],
    });
    expect(await timeline(nothing.memberId), "a rate of nothing promises nothing").toMatchObject({ openClicks: [] });
  });

  test("C3 the purchase of a later click ends an earlier one at its retailer, even if the later one promised no rate", async () => {
    const { club, memberId } = await newcomer({ createdAt: new Date("2026-11-17T09:00:00Z") });
    const elsewhere = { ...club, shop: await makeShop(db, club) };
    await makeClick(db, elsewhere, { createdAt: new Date("2026-11-17T10:00:00Z") });
    const shops = async () => (await timeline(memberId)).openClicks.map(({ retailer }) => retailer.slug);
    expect(await shops()).toEqual([elsewhere.shop.retailerSlug, club.shop.retailerSlug]);
    const later = await makeClick(db, club, { createdAt: new Date("2026-11-18T09:00:00Z"), tiers: [] });
    expect(await shops()).toEqual([elsewhere.shop.retailerSlug, club.shop.retailerSlug]);
    await record(reportedSale(club, later));
    expect(await shops()).toEqual([elsewhere.shop.retailerSlug]);
  });

  test("C3 a click is open while it is one of the member's latest fifty", async () => {
    const { club, memberId } = await newcomer({ createdAt: new Date("2026-11-17T09:00:00Z") });
    const elsewhere = { ...club, shop: await makeShop(db, club) };
    const visit = (minute: number) =>
      makeClick(db, elsewhere, { createdAt: new Date(Date.parse("2026-11-18T09:00:00Z") + minute * 60_000) });
    for (let minute = 1; minute <= 49; minute += 1) await visit(minute);
    expect((await timeline(memberId)).openClicks).toHaveLength(2);
    await visit(50);
    expect((await timeline(memberId)).openClicks).toMatchObject([{ retailer: { slug: elsewhere.shop.retailerSlug } }]);
  });
});

describe("C3 the lifecycle in the database", () => {
  const states = Object.keys(CASHBACK_TRANSITIONS) as CashbackState[];
  const pairs = states.flatMap((from) => states.filter((to) => to !== from).map((to) => [from, to] as const));

  test.each(pairs)("C3 %s to %s is allowed or refused as the rules say", async (from, to) => {
    const { club, memberId, reference } = await newcomer();
    const status =
      from === "declined" ? ("declined" as const) : from === "tracked" ? ("pending" as const) : ("approved" as const);
    await record(
      reportedSale(club, reference, { minute: 1, status, paidToPublisher: from === "payable" || from === "paid" }),
    );
    if (from === "paid") await payMember(db, { memberId, now });
    const update = pool.query(
      "update cashback_entries set state = $1, version = version + 1, confirmed_at = now(), payable_at = now(), paid_at = now(), declined_at = now() where member_id = $2 and state = $3",
      [to, memberId, from],
    );
    if ((CASHBACK_TRANSITIONS[from] as readonly string[]).includes(to)) expect((await update).rowCount).toBe(1);
    else await expect(update).rejects.toThrow(`cannot go from ${from} to ${to}`);
  });

  test("C3 payable amounts, owners and rows cannot be changed", async () => {
    const { club, memberId, reference } = await newcomer();
    await record(reportedSale(club, reference, { minute: 1, status: "approved", paidToPublisher: true }));
    const set = (change: string) =>
      pool.query(`update cashback_entries set version = version + 1, ${change} where member_id = $1`, [memberId]);
    await expect(set("cashback_pence = 1")).rejects.toThrow(/changed by a correction/);
    await expect(set(`member_id = '${home.memberId}'`)).rejects.toThrow(/keeps its member/);
    await expect(pool.query("delete from cashback_entries where member_id = $1", [memberId])).rejects.toThrow(
      /refused/,
    );
  });

  test("C4 the check finds an entry whose state and postings disagree", async () => {
    const { club, memberId, reference } = await newcomer();
    await record(reportedSale(club, reference));
    await pool.query("update cashback_entries set cashback_pence = 601, version = version + 1 where member_id = $1", [
      memberId,
    ]);
    expect(await checkCashback(db)).toEqual(
      expect.arrayContaining([expect.stringMatching(/should have 601 pence in member_tracked, and has 600\.$/)]),
    );
  });
});

function later(sale: ReportedTransaction, minutes: number) {
  const at = new Date(sale.purchasedAt.getTime() + minutes * 60_000);
  return { validatedAt: at, modifiedAt: at, observedAt: at };
}
