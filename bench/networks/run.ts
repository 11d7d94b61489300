/**
 * Networks' reports (C2, C3): measures how many rows of a report a second are stored and booked, against raw inserts of the same rows, for
 * a first reading (every row is a new purchase), a second one (nothing has changed) and a third (every sale is approved), and the memory that
 * this takes.
 * Run alone with: node bench/networks/run.ts [--rows 100000] [--page 1000] [--members 2000]
 * Starts its own embedded PostgreSQL in a temporary folder, with fsync on. Raw inserts are one statement and one commit per page: of the rows as the
 * network sent them, and of every row that booking them leaves in any table, into tables without triggers and foreign keys.
 */
import { parseArgs } from "node:util";
import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { clickAt } from "@farthing/core/clicks/clicks.testing.ts";
import { makeClub, reportedSale, type ClubForTests } from "@farthing/core/cashback/cashback.testing.ts";
import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { takeInAnswer } from "../../apps/server/networks/report-answer.ts";
import { report } from "../figures.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    page: { type: "string", default: "1000" },
    members: { type: "string", default: "2000" },
  },
});
const [ROWS, PAGE, MEMBERS] = [Number(values.rows), Number(values.page), Number(values.members)];
const TARGET = { booked: 0.1, unchanged: 0.5, grownMb: 100 };
/** The tables that booking writes, each row of which the raw side inserts too. */
const BOOKED = [
  "network_transactions",
  "network_transaction_revisions",
  "cashback_entries",
  "cashback_changes",
  "cashback_expectations",
  "cashback_watches",
  "cashback_notices",
  "ledger_transfers",
  "ledger_entries",
];

const server = await startThrowawayServer({ durable: true });
const { db, pool, close } = openDatabase({ url: server.url, max: 4 });
const logger = {
  info: () => undefined,
  warn: (facts: object, what: string) => fail(what, facts),
  error: (facts: object, what: string) => fail(what, facts),
};
try {
  await migrate(server.url);
  const club = await makeClub(db);
  const references = await makeClicks(club);

  const rates = {
    "first reading, all new": await ingest(club, references, {}),
    "second reading, unchanged": await ingest(club, references, { minute: 0 }),
  };
  const raw = { sent: await insertSent(club, references), booked: await insertBooked() };
  const third = await ingest(club, references, { minute: 10, status: "approved" });
  for (const [name, rate] of Object.entries({ ...rates, "third reading, all approved": third }))
    console.log(
      `${name}: ${Math.round(rate.perSecond)} rows a second, memory grew by ${rate.grownMb.toFixed(0)} MB at most`,
    );
  console.log(`raw inserts of the rows as sent: ${Math.round(raw.sent)} a second`);
  console.log(`raw inserts of all rows that a new purchase leaves: ${Math.round(raw.booked)} purchases a second`);

  const first = rates["first reading, all new"];
  const second = rates["second reading, unchanged"];
  const percent = (value: number) => value * 100;
  report({
    what: "new purchases of a report, of raw inserts of all rows that they leave",
    value: percent(first.perSecond / raw.booked),
    unit: "%",
    target: { atLeast: percent(TARGET.booked) },
  });
  report({
    what: "unchanged rows of a report, of raw inserts of the same rows",
    value: percent(second.perSecond / raw.sent),
    unit: "%",
    target: { atLeast: percent(TARGET.unchanged) },
  });
  report({
    what: `memory of the process while it reads ${ROWS} rows`,
    value: Math.max(first.grownMb, second.grownMb, third.grownMb),
    unit: "MB more",
    target: { atMost: TARGET.grownMb },
  });
  const faults = [...(await checkLedger(db)).faults, ...(await checkCashback(db))];
  if (faults.length > 0) throw new Error(`The books have faults: ${faults[0]}`);
} finally {
  await close();
  await server.stop();
}

/** One click for each row, of the members in turn. */
async function makeClicks(club: ClubForTests): Promise<string[]> {
  const members: string[] = [];
  for (let i = 0; i < MEMBERS; i++) members.push((await insertVerifiedMember(db, { brandId: club.brandId })).id);
  const recorder = createClickRecorder({ db });
  const references: string[] = [];
  for (let from = 0; from < ROWS; from += PAGE) {
    const clicks = Array.from({ length: Math.min(PAGE, ROWS - from) }, (_, i) =>
      recorder.record(clickAt(club.shop, { ...club, memberId: members[(from + i) % MEMBERS]! })),
    );
    references.push(...(await Promise.all(clicks)).map(({ reference }) => reference));
  }
  await recorder.close();
  return references;
}

/** The pages of the report, made as they are read. */
function* pages(
  club: ClubForTests,
  references: readonly string[],
  changes: Parameters<typeof reportedSale>[2],
): Generator<ReportedTransaction[]> {
  for (let from = 0; from < references.length; from += PAGE)
    yield references.slice(from, from + PAGE).map((reference, i) =>
      reportedSale(club, reference, {
        ...changes,
        networkTransactionId: String(9_000_000 + from + i),
        saleMinor: 5_000 + ((from + i) % 977),
        commissionMinor: 400,
        raw: { id: 9_000_000 + from + i, clickRef: reference, saleAmount: { amount: 50, currency: "GBP" } },
      }),
    );
}

async function ingest(
  club: ClubForTests,
  references: readonly string[],
  changes: Parameters<typeof reportedSale>[2],
): Promise<{ perSecond: number; grownMb: number }> {
  // From the first page on: what the process needs once, such as compiled code, is not counted.
  let before: number | null = null;
  let peak = 0;
  const from = performance.now();
  for (const transactions of pages(club, references, changes)) {
    const { failed } = await takeInAnswer(db, {
      networkId: club.networkId,
      answer: { transactions, unreadable: [] },
      now: new Date("2026-10-02T12:00:00Z"),
      logger,
    });
    if (failed > 0) throw new Error(`${failed} rows could not be stored.`);
    before ??= process.memoryUsage.rss();
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  return { perSecond: perSecond(from), grownMb: (peak - (before ?? peak)) / 2 ** 20 };
}

/** Inserts the rows as the network sent them, a page a statement. */
async function insertSent(club: ClubForTests, references: readonly string[]): Promise<number> {
  await pool.query("create table raw_rows (id text primary key, content jsonb not null, raw jsonb not null)");
  const from = performance.now();
  for (const rows of pages(club, references, {})) {
    await pool.query("insert into raw_rows select * from unnest($1::text[], $2::jsonb[], $3::jsonb[])", [
      rows.map((row) => row.networkTransactionId),
      rows.map((row) => JSON.stringify({ ...row, raw: undefined })),
      rows.map((row) => JSON.stringify(row.raw)),
    ]);
  }
  return perSecond(from);
}

/** Inserts what the first reading has left in each table, a page a statement. Reading it is not counted. */
async function insertBooked(): Promise<number> {
  let spentMs = 0;
  for (const table of BOOKED) {
    await pool.query(`create table raw_${table} (like ${table} including indexes)`);
    const { rows: counted } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    const perPage = Math.round((counted[0]!.count / ROWS) * PAGE);
    const reader = await pool.connect();
    try {
      await reader.query("begin");
      await reader.query(`declare rows no scroll cursor for select to_jsonb(stored) as row from ${table} stored`);
      for (;;) {
        const { rows } = await reader.query<{ row: object }>(`fetch ${perPage} from rows`);
        if (rows.length === 0) break;
        const page = JSON.stringify(rows.map(({ row }) => row));
        const from = performance.now();
        await pool.query(`insert into raw_${table} select * from jsonb_populate_recordset(null::raw_${table}, $1)`, [
          page,
        ]);
        spentMs += performance.now() - from;
      }
      await reader.query("end");
    } finally {
      reader.release();
    }
  }
  return ROWS / (spentMs / 1000);
}

function perSecond(from: number): number {
  return ROWS / ((performance.now() - from) / 1000);
}

function fail(what: string, facts: object): never {
  throw new Error(`${what}: ${JSON.stringify(facts)}`);
}
