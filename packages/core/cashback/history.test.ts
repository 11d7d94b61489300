import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { countReads } from "@farthing/db/testing/count-reads.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { makeShop } from "../clicks/clicks.testing.ts";
import { findShownBalances } from "../ledger/balances.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { foldEverything } from "../ledger/ledger.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { makeClick, makeClub, reportedSale, type ClubForTests } from "./cashback.testing.ts";
import type { CashbackTimeline } from "./cashback-view.ts";
import { checkCashback } from "./check.server.ts";
import { cursorOf, entryIdOf, type HistoryPlace } from "./history-cursor.ts";
import { insertLongHistory } from "./insert-long-history.testing.ts";
import { recordReportedTransaction } from "./operations.server.ts";
import { findCashbackTimeline, ITEMS_PER_PAGE } from "./queries.server.ts";

const { db, pool } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");
let home: ClubForTests;
beforeAll(async () => {
  home = await makeClub(db);
});

const newcomer = async () => ({ ...home, memberId: (await insertVerifiedMember(db, { brandId: home.brandId })).id });
const read = (memberId: string, place: HistoryPlace = null, limit = 3) =>
  findCashbackTimeline(db, { memberId, now, place, limit });
const idsOf = ({ items }: CashbackTimeline) => items.map(({ id }) => id);
const olderThan = (cursor: string | null): HistoryPlace => ({ olderThan: entryIdOf(cursor ?? "") });
const newerThan = (cursor: string | null): HistoryPlace => ({ newerThan: entryIdOf(cursor ?? "") });

/** Records a purchase of the club's member, a number of minutes after the first of October. */
async function buy(club: ClubForTests, minutes: number): Promise<void> {
  const purchasedAt = new Date(Date.parse("2026-10-01T10:00:00Z") + minutes * 60_000);
  const reported = { ...reportedSale(club, await makeClick(db, club, { createdAt: purchasedAt })), purchasedAt };
  await recordReportedTransaction(db, { networkId: club.networkId, reported, now });
}

/** Follows the links to older pages, and returns all pages. `between` runs after each page. */
async function walk(memberId: string, between: (page: number) => Promise<void> = async () => {}) {
  const pages = [await read(memberId)];
  for (let older = pages[0]!.older; older !== null; older = pages.at(-1)!.older) {
    await between(pages.length);
    pages.push(await read(memberId, olderThan(older)));
  }
  return pages;
}

/** Every entry of a member in the order of the history, by another way than the pages. */
async function wholeHistory(memberId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; purchased_at: Date }>(
    "select id, purchased_at from cashback_entries where member_id = $1",
    [memberId],
  );
  const key = (row: (typeof rows)[number]) => `${row.purchased_at.toISOString()} ${row.id}`;
  return rows.toSorted((one, other) => (key(one) < key(other) ? 1 : -1)).map(({ id }) => id);
}

describe("C3 pages of the history", () => {
  test("C3 pages together have every purchase once, newest first, also where many have the same time", async () => {
    const club = await newcomer();
    for (const minutes of [5, 5, 5, 5, 5, 5, 5, 9, 1, 5]) await buy(club, minutes);
    const pages = await walk(club.memberId);
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 3, 1]);
    expect(pages.flatMap(idsOf)).toEqual(await wholeHistory(club.memberId));
    expect(pages.map(({ newer }) => newer !== null)).toEqual([false, true, true, true]);
  });

  test("C3 the links to newer pages lead back over the same pages", async () => {
    const club = await newcomer();
    for (const minutes of [1, 2, 2, 2, 2, 2, 2, 3]) await buy(club, minutes);
    const [first, second, third] = await walk(club.memberId);
    const secondAgain = await read(club.memberId, newerThan(third!.newer));
    expect(secondAgain).toEqual(second);
    expect(await read(club.memberId, newerThan(secondAgain.newer))).toEqual(first);
  });

  test.each([
    { entries: 0, pages: 1 },
    { entries: 2, pages: 1 },
    { entries: 3, pages: 1 },
    { entries: 4, pages: 2 },
    { entries: 6, pages: 2 },
    { entries: 7, pages: 3 },
  ])(
    "C3 $entries purchases are $pages pages of three, and no link leads to an empty page",
    async ({ entries, pages }) => {
      const club = await newcomer();
      for (let minutes = 0; minutes < entries; minutes += 1) await buy(club, minutes);
      const walked = await walk(club.memberId);
      expect(walked.map(({ isPageUnknown }) => isPageUnknown)).toEqual(Array.from({ length: pages }, () => false));
      expect(walked.flatMap(idsOf)).toHaveLength(entries);
    },
  );

  test("C3 purchases that arrive between two pages move none from one page to the other", async () => {
    const club = await newcomer();
    for (const minutes of [10, 20, 20, 20, 20, 20, 30]) await buy(club, minutes);
    const before = await wholeHistory(club.memberId);
    // A newer one, an older one, and one at a time that a page has just ended with.
    const arriving = [40, 5, 20];
    const pages = await walk(club.memberId, async (page) => {
      const minutes = arriving[page - 1];
      if (minutes !== undefined) await buy(club, minutes);
    });
    const shown = pages.flatMap(idsOf);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.filter((id) => before.includes(id))).toEqual(before);
    expect(shown).toEqual((await wholeHistory(club.memberId)).filter((id) => shown.includes(id)));
  });

  test("C3 a time between two milliseconds ends a page without losing a purchase", async () => {
    const club = await newcomer();
    for (const minutes of [1, 2, 3, 4, 5]) await buy(club, minutes);
    for (const [index, id] of (await wholeHistory(club.memberId)).entries())
      await pool.query(
        "update cashback_entries set version = version + 1, purchased_at = timestamptz '2026-10-01T10:00:00.0001Z' - $2 * interval '1 microsecond' where id = $1",
        [id, index],
      );
    const pages = await walk(club.memberId);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(5);
  });

  test("C3 a correction of the club's share alone is on no page", async () => {
    const club = await newcomer();
    for (const minutes of [1, 2, 4]) await buy(club, minutes);
    const sale = reportedSale(club, await makeClick(db, club), {
      minute: 3,
      status: "approved",
      paidToPublisher: true,
    });
    const commission = {
      commissionMinor: 700,
      parts: [{ groupId: "101", groupCode: null, saleMinor: 10_000, commissionMinor: 700 }],
    };
    const observedAt = new Date(sale.observedAt.getTime() + 60_000);
    for (const reported of [sale, { ...sale, ...commission, modifiedAt: observedAt, observedAt }])
      await recordReportedTransaction(db, { networkId: club.networkId, reported, now });
    expect(await wholeHistory(club.memberId)).toHaveLength(5);
    const pages = await walk(club.memberId);
    expect(pages.map(({ items }) => items.length)).toEqual([3, 1]);
  });
});

describe("C3 an address that leads to no page of the member", () => {
  test("C3 another member's entry, an unknown one and text that is no cursor are answered alike, with the newest page", async () => {
    const [mine, other] = [await newcomer(), await newcomer()];
    for (const minutes of [1, 2, 3, 4]) await buy(mine, minutes);
    for (const minutes of [1, 2, 3, 4, 5]) await buy(other, minutes);
    const newest = await read(mine.memberId);
    const foreign = cursorOf((await read(other.memberId)).items[1]!.id);
    const cursors = [
      foreign,
      cursorOf(newId()),
      "",
      "x",
      `${foreign}A`,
      foreign.slice(1),
      "'; drop table clicks; --",
      "%00",
    ];
    for (const cursor of cursors)
      for (const place of [olderThan(cursor), newerThan(cursor)])
        expect(await read(mine.memberId, place)).toEqual({ ...newest, isPageUnknown: true });
  });

  test("C3 beyond the last and before the first purchase there is no page", async () => {
    const club = await newcomer();
    for (const minutes of [1, 2]) await buy(club, minutes);
    const ids = idsOf(await read(club.memberId));
    expect(await read(club.memberId, { olderThan: ids[1]! })).toMatchObject({ isPageUnknown: true });
    expect(await read(club.memberId, { newerThan: ids[0]! })).toMatchObject({ isPageUnknown: true });
    expect(idsOf(await read(club.memberId, { olderThan: ids[0]! }))).toEqual([ids[1]]);
  });

  test("C3 a cursor stands for one entry, in characters that an address needs no escapes for", () => {
    const ids = [
      newId(),
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
      "fbefbefb-efbe-7bef-bbef-fbefbefbefbe",
    ];
    for (const id of ids) {
      expect(cursorOf(id)).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(entryIdOf(cursorOf(id))).toBe(id);
    }
  });
});

describe("C3 what a page reads", () => {
  test("C3 a page of a history of 5,000 purchases reads no more rows than one of 50, in as many statements", async () => {
    for (let shop = 0; shop < 4; shop += 1) await makeShop(db, home);
    const [short, long] = [await newcomer(), await newcomer()];
    await insertLongHistory(db, { ...short, entries: 50, now, days: 100 });
    await insertLongHistory(db, { ...long, entries: 5_000, now, days: 100 });
    await foldEverything(db);
    await pool.query("vacuum analyze");
    expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);

    const middleOf = async ({ memberId }: ClubForTests) => ({
      olderThan: (await read(memberId, null, 20)).items[9]!.id,
    });
    const costOf = async ({ memberId }: ClubForTests, place: HistoryPlace, runs: number) =>
      countReads(db, async (trx) => {
        for (let run = 0; run < runs; run += 1) await findCashbackTimeline(trx, { memberId, now, place });
      });
    for (const place of [async () => null, middleOf]) {
      // PostgreSQL plans anew five times, and keeps a plan for all values from then on.
      for (const runs of [1, 10]) {
        const few = await costOf(short, await place(short), runs);
        const many = await costOf(long, await place(long), runs);
        expect(many.rows).toBeGreaterThan(0);
        expect(many.rows).toBeLessThanOrEqual(few.rows);
        expect(many.statements).toBe(few.statements);
      }
    }
    expect((await read(long.memberId, null, ITEMS_PER_PAGE)).items).toHaveLength(ITEMS_PER_PAGE);
    expect(Object.values(await findShownBalances(db, long)).reduce((sum, pence) => sum + pence, 0)).toBeGreaterThan(0);
  });

  test("C3 counting notices a read of the whole history", async () => {
    const club = await newcomer();
    await insertLongHistory(db, { ...club, entries: 300, now });
    const { rows } = await countReads(db, (trx) =>
      trx.selectFrom("cashback_entries").select("cashback_pence").where("member_id", "=", club.memberId).execute(),
    );
    expect(rows).toBeGreaterThanOrEqual(300);
  });
});
