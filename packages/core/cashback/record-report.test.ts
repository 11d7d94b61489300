import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { makeClick, makeClub, reportedSale, type ClubForTests } from "./cashback.testing.ts";
import { checkCashback } from "./check.server.ts";
import { recordReportedTransaction } from "./operations.server.ts";
import { recordReport, type RecordedRow } from "./record-report.server.ts";

const { db, pool } = await testDatabase({ max: 8 });
const now = new Date("2026-11-20T12:00:00Z");
let clubs = 0;

/** A club with members whose clicks are used in turn. */
async function clubWithClicks({ members, clicks }: { members: number; clicks: number }) {
  const club = await makeClub(db, { networkSlug: `sets-${++clubs}` });
  const owners = [club.memberId];
  while (owners.length < members) owners.push((await insertVerifiedMember(db, { brandId: club.brandId })).id);
  const references: string[] = [];
  for (let i = 0; i < clicks; i++)
    references.push(await makeClick(db, { ...club, memberId: owners[i % owners.length]! }));
  return { club, owners, references };
}

async function record(club: ClubForTests, rows: readonly ReportedTransaction[], database = db): Promise<RecordedRow[]> {
  const recorded = new Map<ReportedTransaction, RecordedRow>();
  for await (const one of recordReport(database, { networkId: club.networkId, rows, now })) {
    expect(recorded.has(one.row)).toBe(false);
    recorded.set(one.row, one.recorded);
  }
  return rows.map((row) => recorded.get(row)!);
}

/** What is stored and what it is worth, without ids, the number of revisions on the way, and what a declined purchase once was worth. */
async function stateOf({ networkId }: ClubForTests, owners: readonly string[]) {
  const { rows } = await sql`
    select known.network_transaction_id as sale, known.status, known.sale_minor, known.commission_minor, known.paid_to_publisher,
      known.held_because, known.reason_code, known.modified_at, known.observed_at, known.revision_hash, known.next_change_at,
      (select jsonb_agg(jsonb_build_array(entry.state, entry.reason_code)) from cashback_entries entry
        where entry.network_transaction_id = known.id and entry.entry_kind = 'purchase') as purchase,
      (select sum(entry.cashback_pence)::int from cashback_entries entry
        where entry.network_transaction_id = known.id and entry.state <> 'declined') as cashback,
      (select jsonb_agg(jsonb_build_array(watch.awaits, watch.cashback_pence, watch.expected_to))
        from cashback_watches watch join cashback_entries entry on entry.id = watch.entry_id
        where entry.network_transaction_id = known.id) as watched
    from network_transactions known where known.network_id = ${networkId} order by known.network_transaction_id`.execute(
    db,
  );
  const balances = [];
  for (const memberId of owners) balances.push(await findMemberBalances(db, { memberId }));
  return { rows, balances };
}

/** What a network says next: it never takes an approval or a payment back. */
const saying = fc.record({
  sale: fc.nat(8),
  says: fc.constantFrom("pending", "approved", "paid", "declined", "again", "old"),
  pounds: fc.option(fc.integer({ min: 0, max: 300 })),
});

test("C2 C4 a report that is stored in sets ends as row by row: shuffled, repeated and amended rows, and rows that nobody is credited for", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(saying, { maxLength: 30 }), { minLength: 1, maxLength: 4 }), async (pages) => {
      const [sets, single] = [
        await clubWithClicks({ members: 4, clicks: 7 }),
        await clubWithClicks({ members: 4, clicks: 7 }),
      ];
      const histories = Array.from({ length: 9 }, (_, i): ReportedTransaction[] => [
        {
          ...reportedSale(sets.club, null, { networkTransactionId: String(700 + i) }),
          clickReference: ["lost", null][i - 7] ?? null,
        },
      ]);
      let minute = 0;
      for (const page of pages) {
        const rows = page.map(({ sale, says, pounds }) => {
          const history = histories[sale]!;
          if (says === "again") return { sale, row: history.at(-1)! };
          if (says === "old") return { sale, row: history[minute % history.length]! };
          const last = history.at(-1)!;
          const at = new Date(last.purchasedAt.getTime() + ++minute * 60_000);
          const paid = says === "paid" || last.paidToPublisher;
          const wasApproved = history.some(({ status }) => status === "approved");
          const saleMinor = pounds === null ? last.saleMinor : pounds * 100;
          history.push({
            ...last,
            saleMinor,
            parts: [{ groupId: "101", groupCode: null, saleMinor, commissionMinor: last.commissionMinor }],
            status: says === "declined" ? "declined" : says !== "pending" || wasApproved ? "approved" : "pending",
            paidToPublisher: paid,
            reason: says === "declined" ? "returned" : null,
            modifiedAt: at,
            observedAt: at,
          });
          return { sale, row: history.at(-1)! };
        });
        const at = ({ club, references }: typeof sets, { sale, row }: (typeof rows)[number]) => ({
          ...row,
          networkProgrammeId: club.shop.networkProgrammeId,
          clickReference: references[sale] ?? row.clickReference,
        });
        const outcomes = await record(
          sets.club,
          rows.map((row) => at(sets, row)),
        );
        expect(outcomes.map(({ outcome }) => outcome)).not.toContain("failed");
        for (const row of rows)
          await recordReportedTransaction(db, {
            networkId: single.club.networkId,
            reported: at(single, row),
            now,
          });
        const strip = ({ rows: found, balances }: Awaited<ReturnType<typeof stateOf>>) => ({
          balances,
          // The hash covers the club's own programme and references.
          rows: found.map((row) => ({ ...(row as object), revision_hash: null })),
        });
        expect(strip(await stateOf(sets.club, sets.owners))).toEqual(strip(await stateOf(single.club, single.owners)));
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
}, 120_000);

test("C2 rows that correct sales end in sets and bundles as row by row, in any order and any number of times", async () => {
  const row = fc.record({
    sale: fc.nat(3),
    row: fc.nat(3),
    version: fc.nat(2),
    percent: fc.integer({ min: -60, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 20 }), { minLength: 1, maxLength: 3 }), async (pages) => {
      const [sets, single] = [
        await clubWithClicks({ members: 3, clicks: 4 }),
        await clubWithClicks({ members: 3, clicks: 4 }),
      ];
      const said = new Map<string, number>();
      const at = ({ club, references }: typeof sets, one: { sale: number; row: number; version: number }) => {
        // Row 0 is the original. A version of a row says the same whenever it comes.
        const percent = one.row === 0 ? 100 : said.get(`${one.sale} ${one.row} ${one.version}`)!;
        const amounts = { saleMinor: 100 * percent, commissionMinor: 8 * percent };
        const minute = new Date(Date.UTC(2026, 9, 1, 10, one.row * 10 + one.version));
        return {
          ...reportedSale(club, references[one.sale]!, { networkTransactionId: `sum-${one.sale}` }),
          ...amounts,
          parts: [{ groupId: "101", groupCode: null, ...amounts }],
          correction: { rowId: `row-${one.row}`, isOriginal: one.row === 0 },
          modifiedAt: minute,
          observedAt: minute,
        } satisfies ReportedTransaction;
      };
      for (const page of pages) {
        for (const one of page) {
          const name = `${one.sale} ${one.row} ${one.version}`;
          if (!said.has(name)) said.set(name, one.percent);
        }
        const outcomes = await record(
          sets.club,
          page.map((one) => at(sets, one)),
        );
        expect(outcomes.map(({ outcome }) => outcome)).not.toContain("failed");
        for (const one of page)
          await recordReportedTransaction(db, {
            networkId: single.club.networkId,
            reported: at(single, one),
            now,
          });
        const strip = ({ rows, balances }: Awaited<ReturnType<typeof stateOf>>) => ({
          balances,
          rows: rows.map((found) => ({ ...(found as object), revision_hash: null })),
        });
        expect(strip(await stateOf(sets.club, sets.owners))).toEqual(strip(await stateOf(single.club, single.owners)));
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
}, 120_000);

test("C2 a sale and what takes it back on one page are one change: no member hears that it was confirmed", async () => {
  const { club, owners, references } = await clubWithClicks({ members: 1, clicks: 2 });
  const rowOf = (sale: number, rowId: string, sign: 1 | -1): ReportedTransaction => {
    const whole = reportedSale(club, references[sale]!, { networkTransactionId: `taken-back-${sale}` });
    return {
      ...whole,
      status: "approved",
      saleMinor: sign * whole.saleMinor,
      commissionMinor: sign * whole.commissionMinor,
      parts: [],
      correction: { rowId, isOriginal: sign > 0 },
      reason: sign > 0 ? null : "returned",
    };
  };
  const bad = { ...rowOf(1, "4", -1), raw: { text: "\u0000" } };
  const outcomes = await record(club, [rowOf(0, "1", 1), rowOf(1, "3", 1), rowOf(0, "2", -1), bad]);
  expect(outcomes).toMatchObject([
    { outcome: "new", changes: ["tracked", "declined"] },
    { outcome: "new", changes: ["tracked", "confirmed"] }, // a bad row holds up no other of its sale
    { outcome: "new", changes: ["tracked", "declined"] },
    { outcome: "failed" },
  ]);
  expect(await findMemberBalances(db, { memberId: owners[0]! })).toMatchObject({
    member_tracked: 0,
    member_confirmed: 600,
  });
});

test("C2 a row that can't be stored holds up no other, whatever is wrong with it", async () => {
  const { club, owners, references } = await clubWithClicks({ members: 7, clicks: 14 });
  const poison: ReportedTransaction[] = [
    reportedSale(club, null, { networkTransactionId: "id\u0000" }),
    reportedSale(club, "reference\u0000"),
    reportedSale(club, null, { currency: "pounds" }),
    reportedSale(club, null, { saleMinor: 1.5 }),
    reportedSale(club, null, { raw: { text: "\u0000" } }),
    reportedSale(club, null, { status: "strange" as never }),
    reportedSale(club, null, { modifiedAt: new Date(Number.NaN) }),
  ];
  // A page each: some fail when the page is looked up, the others when their set is stored.
  for (const [at, bad] of poison.entries()) {
    const good = references.slice(2 * at, 2 * at + 2).map((reference) => reportedSale(club, reference));
    const outcomes = await record(club, [good[0]!, bad, good[1]!]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["new", "failed", "new"]);
  }
  for (const memberId of owners)
    expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_tracked: 1_200 });
});

test("C2 C4 the same report read by four processes at once is booked once", async () => {
  const { club, owners, references } = await clubWithClicks({ members: 8, clicks: 24 });
  const rows = references.map((reference) => reportedSale(club, reference));
  const approved = rows.map((row) => ({
    ...row,
    status: "approved" as const,
    modifiedAt: new Date(row.modifiedAt.getTime() + 60_000),
  }));
  const reversed = [...rows].reverse();
  const all = await Promise.all([
    record(club, rows),
    record(club, [...approved].reverse()),
    record(club, [...reversed, ...approved]),
    record(club, [...approved, ...rows]),
  ]);
  expect(all.flat().filter(({ outcome }) => outcome === "failed")).toEqual([]);
  for (const memberId of owners)
    expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_tracked: 0, member_confirmed: 1_800 });
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
});

test("C2 a report that waits for another one keeps none of its own members waiting", async () => {
  const { club, owners } = await clubWithClicks({ members: 3, clicks: 0 });
  // Months of members are locked in the order of the members' ids.
  const [low, middle, high] = owners.toSorted() as [string, string, string];
  const saleOf = async (memberId: string) => reportedSale(club, await makeClick(db, { ...club, memberId }));
  await record(club, [await saleOf(low)]); // a network's first sale opens its accounts
  const one = await db.startTransaction().execute();
  const theirs = await record(club, [await saleOf(middle), await saleOf(high)], joinTransaction(one));
  const other = record(club, [await saleOf(low), await saleOf(middle)]);
  await untilWaiting(db);
  const single = record(club, [await saleOf(low)]).then(([row]) => row?.outcome);
  const first = await Promise.race([single, untilWaiting(db, 2).then(() => "waits for a report that waits itself")]);
  await one.commit().execute();
  expect([first, await single]).toEqual(["new", "new"]);
  expect([...theirs, ...(await other)].map(({ outcome }) => outcome)).toEqual(["new", "new", "new", "new"]);
  for (const [memberId, sales] of [
    [low, 3],
    [middle, 2],
    [high, 1],
  ] as const)
    expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_tracked: sales * 600 });
});

test("R1 connections that are killed while a report is stored lose and double nothing", async () => {
  const { club, owners, references } = await clubWithClicks({ members: 10, clicks: 40 });
  const rows = references.map((reference) => reportedSale(club, reference));
  let isDone = false;
  const kill = async () => {
    while (!isDone)
      await pool
        .query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        )
        .catch(() => undefined);
  };
  const killing = kill();
  for (let reading = 0; reading < 3; reading++) await record(club, rows).catch(() => undefined);
  isDone = true;
  await killing;
  await record(club, rows);
  expect((await record(club, rows)).map(({ outcome }) => outcome)).toEqual(rows.map(() => "unchanged"));
  for (const memberId of owners)
    expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_tracked: 2_400 });
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db))]).toEqual([]);
});
