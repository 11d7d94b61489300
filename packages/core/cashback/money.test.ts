import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { countReads } from "@farthing/db/testing/count-reads.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { makeShop } from "../clicks/clicks.testing.ts";
import { foldEverything } from "../ledger/ledger.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { makeClick, makeClub, reportedSale, type ClubForTests, payMember } from "./cashback.testing.ts";
import { checkCashback } from "./check.server.ts";
import { findMoney } from "./find-money.server.ts";
import { findPurchase } from "./find-history.server.ts";
import { findPurchases } from "./find-purchases.server.ts";
import { insertLongHistory } from "./insert-long-history.testing.ts";
import { recordReportedTransaction } from "./operations.server.ts";
import { purchasesCsv } from "./purchases-csv.server.ts";
import { purchaseWordsSchema } from "./schema.ts";

const { db, pool } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");
let home: ClubForTests;
beforeAll(async () => {
  home = await makeClub(db);
});
const newcomer = async () => ({ ...home, memberId: (await insertVerifiedMember(db, { brandId: home.brandId })).id });

async function buy(club: ClubForTests, purchasedAt: string, steps: ("approved" | "declined" | "paid")[] = []) {
  const at = new Date(purchasedAt);
  const sale = reportedSale(club, await makeClick(db, club, { createdAt: at }), {
    purchasedAt: at,
    modifiedAt: at,
    observedAt: at,
  });
  const report = (reported: typeof sale) =>
    recordReportedTransaction(db, { networkId: club.networkId, reported, now: reported.modifiedAt });
  await report(sale);
  for (const [index, step] of steps.entries()) {
    const then = new Date(at.getTime() + (index + 1) * 3_600_000);
    const status = step === "paid" ? "approved" : step;
    await report({ ...sale, status, paidToPublisher: step === "paid", modifiedAt: then, observedAt: then });
  }
}

async function csvOf(memberId: string): Promise<string> {
  let text = "";
  for await (const part of purchasesCsv(db, { memberId })) text += new TextDecoder().decode(part);
  return text;
}

describe("C3 the money page", () => {
  test("C3 four balances, what is coming by month, and each month's sums agree with the ledger", async () => {
    const club = await newcomer();
    await buy(club, "2026-11-01T10:00:00Z");
    await buy(club, "2026-10-31T23:30:00Z");
    await buy(club, "2026-10-02T10:00:00Z", ["approved"]);
    await buy(club, "2026-10-03T10:00:00Z", ["approved", "paid"]);
    await buy(club, "2026-09-30T22:30:00Z", ["declined"]);
    await buy(club, "2026-09-30T23:30:00Z");
    const money = await findMoney(db, { memberId: club.memberId, now });
    expect(money.balances).toEqual({ trackedPence: 1_800, confirmedPence: 600, payablePence: 600, paidPence: 0 });
    const months = (list: readonly { month: Date }[]) => list.map(({ month }) => month.toISOString());
    // London's months: half past eleven on the last day of September, in UTC, is October there.
    expect(months(money.months)).toEqual([
      "2026-11-01T00:00:00.000Z",
      "2026-09-30T23:00:00.000Z",
      "2026-08-31T23:00:00.000Z",
    ]);
    expect(money.months.map(({ month: _month, ...sums }) => Object.values(sums))).toEqual([
      [1, 600, 0, 0, 0],
      [4, 1_800, 600, 0, 0],
      [1, 0, 0, 0, 600],
    ]);
    const coming = money.coming.reduce((sum, { pence }) => sum + pence, 0);
    expect(coming + money.overdue.pence + money.laterPence).toBe(2_400);
    const total = (of: "purchases" | "toConfirm") => money.coming.reduce((sum, month) => sum + month[of], 0);
    expect([total("purchases"), total("toConfirm")]).toEqual([4, 3]);
    expect(money.next.map(({ expected }) => expected.to.getTime())).toEqual(
      money.next.map(({ expected }) => expected.to.getTime()).toSorted((a, b) => a - b),
    );
    await payMember(db, { memberId: club.memberId, now });
    const { balances, months: paid } = await findMoney(db, { memberId: club.memberId, now });
    expect([balances.paidPence, paid[1]]).toMatchObject([600, { yoursPence: 0, paidPence: 600 }]);
    expect(await checkCashback(db)).toEqual([]);
  });

  test("C4 the check finds a month that does not sum up, and a purchase that is not watched", async () => {
    const club = await newcomer();
    await buy(club, "2026-11-01T10:00:00Z");
    const where = sql`where member_id = ${club.memberId}`;
    await sql`update cashback_months set paid_pence = 1 ${where}`.execute(db);
    expect(await checkCashback(db)).toEqual([expect.stringContaining("has other sums for 2026-11-01")]);
    await sql`update cashback_months set paid_pence = 0 ${where}`.execute(db);
    await sql`delete from cashback_watches ${where}`.execute(db);
    expect(await checkCashback(db)).toEqual([expect.stringContaining("is open and not watched")]);
    await sql`update cashback_entries set state = 'declined', declined_at = now(), version = 2 ${where}`.execute(db);
  });

  test("C3 money pages of a history of 5,000 purchases read no more rows than those of 700", async () => {
    for (let shop = 0; shop < 4; shop += 1) await makeShop(db, home);
    const [short, long] = [await newcomer(), await newcomer()];
    // Both have more open purchases than the page counts.
    await insertLongHistory(db, { ...short, entries: 700, now, days: 100 });
    await insertLongHistory(db, { ...long, entries: 5_000, now, days: 100 });
    await foldEverything(db);
    await pool.query("vacuum analyze");
    const words = "shop";
    const reads = {
      money: (trx: typeof db, memberId: string) => findMoney(trx, { memberId, now }),
      list: (trx: typeof db, memberId: string) => findPurchases(trx, { memberId, now }),
      search: (trx: typeof db, memberId: string) => findPurchases(trx, { memberId, now, words }),
    };
    for (const [name, read] of Object.entries(reads)) {
      const costOf = (memberId: string) =>
        countReads(db, async (trx) => {
          for (let run = 0; run < 8; run += 1) await read(trx, memberId);
        });
      const [few, many] = [await costOf(short.memberId), await costOf(long.memberId)];
      expect(few.rows, name).toBeGreaterThan(0);
      expect(many.rows, name).toBeLessThanOrEqual(few.rows * 1.1);
    }
    const { coming, laterPence, balances } = await findMoney(db, { memberId: long.memberId, now });
    expect(laterPence).toBeGreaterThan(0);
    expect(coming.reduce((sum, { pence }) => sum + pence, laterPence)).toBeLessThanOrEqual(
      balances.trackedPence + balances.confirmedPence,
    );
  });
});

describe("C3 the list of purchases", () => {
  test("C3 a search finds purchases by a part of the retailer's name, in any case, and pages through them", async () => {
    const club = await newcomer();
    const other = { ...club, shop: await makeShop(db, club) };
    await db.updateTable("retailers").set({ name: "Café O'Brien" }).where("id", "=", other.shop.retailerId).execute();
    for (let day = 1; day <= 5; day += 1) await buy(other, `2026-10-0${day}T10:00:00Z`);
    await buy(club, "2026-10-09T10:00:00Z");
    const find = (words: string, place: Parameters<typeof findPurchases>[1]["place"] = null) =>
      findPurchases(db, { memberId: club.memberId, now, words, place, limit: 2 });
    for (const words of ["cafe", "OBRIEN", "é o"]) {
      const { items, retailers, older } = await find(words);
      expect([items.length, retailers, older === null]).toEqual([2, ["Café O'Brien"], false]);
    }
    const first = await find("cafe");
    const second = await find("cafe", { olderThan: first.items.at(-1)!.id });
    const third = await find("cafe", { olderThan: second.items.at(-1)!.id });
    expect([second.items.length, third.items.length, third.older]).toEqual([2, 1, null]);
    const seen = [first, second, third].flatMap(({ items }) => items.map(({ id }) => id));
    expect(new Set(seen).size).toBe(5);
    expect((await find("cafe", { newerThan: third.items[0]!.id })).items.map(({ id }) => id)).toEqual(seen.slice(2, 4));
  });

  test.each(["%", "_", "'; drop table clicks; --", "🦊", "zzz", "\\"])(
    "S1 the words %j find nothing and break nothing",
    async (words) => {
      const club = await newcomer();
      await buy(club, "2026-10-09T10:00:00Z");
      const found = await findPurchases(db, { memberId: club.memberId, now, words });
      expect([found.items, found.retailers]).toEqual([[], []]);
    },
  );

  test("S1 words from an address are cut, and hold nothing that the database refuses", () => {
    expect(purchaseWordsSchema.parse(null)).toBe("");
    expect(purchaseWordsSchema.parse(`a\u0000${"b".repeat(500)}`)).toHaveLength(80);
    expect(purchaseWordsSchema.parse(`${"x".repeat(79)}🦊`).isWellFormed()).toBe(true);
  });

  test("C3 S1 another member's purchase is answered like one that does not exist", async () => {
    const [mine, theirs] = [await newcomer(), await newcomer()];
    await buy(theirs, "2026-10-09T10:00:00Z");
    const id = (await findPurchases(db, { memberId: theirs.memberId, now })).items[0]!.id;
    expect(await findPurchase(db, { memberId: theirs.memberId, entryId: id, now })).toMatchObject({ id });
    expect(await findPurchase(db, { memberId: mine.memberId, entryId: id, now })).toBeNull();
    expect(await csvOf(mine.memberId)).toMatch(/^Click number,.*\r\n$/);
  });
});

describe("C3 purchases as CSV", () => {
  test("C3 every purchase is in the file once, in pounds and London's days", async () => {
    const club = await newcomer();
    await insertLongHistory(db, { ...club, entries: 2_001, now });
    const lines = (await csvOf(club.memberId)).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2_002);
    expect(new Set(lines).size).toBe(2_002);
    const purchase = await newcomer();
    await buy(purchase, "2026-10-24T23:30:00Z", ["declined"]);
    const [, row] = (await csvOf(purchase.memberId)).split("\r\n");
    expect(row).toMatch(
      /^[0-9A-Z-]{14},[^,]+,Purchase,Declined,2026-10-25,100\.00,6\.00,The retailer gave no reason\.,2026-10-25,,,,2026-10-25$/,
    );
  });

  test.each(['=cmd|"/c calc"!A1', "+44", "-1", "@x", 'Quotes "and", commas'])(
    "S1 a retailer called %j stays text in a spreadsheet",
    async (name) => {
      const club = await newcomer();
      const theirs = { ...club, shop: await makeShop(db, club) };
      await db.updateTable("retailers").set({ name }).where("id", "=", theirs.shop.retailerId).execute();
      await buy(theirs, "2026-10-09T10:00:00Z");
      const csv = await csvOf(club.memberId);
      const shown = /^[=+\-@]/.test(name) ? `'${name}` : name;
      expect(csv).toContain(/[",]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : `,${shown},`);
    },
  );
});
