import type { Db, Trx } from "@farthing/db/client.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { sql } from "kysely";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { takeUnchanged, type Unchanged } from "../networks/unchanged.server.ts";
import { recordRows, type RecordedTransaction } from "./operations.server.ts";
import { bundleRows, makeSets, type KeyedRow } from "./report-sets.ts";

/** Rows that are compared with what is stored at once. */
const LOOKED_UP = 1_000;
/** Bundles of rows that are stored in one database transaction, at most. */
const MAX_SET = 200;

/** Rows of one sale, which are stored together. */
type Bundle = readonly ReportedTransaction[];

/** `error` says what kept a row from being stored: it changed nothing. */
export type RecordedRow = RecordedTransaction | { outcome: "failed"; error: unknown };

/**
 * Stores what a network's report says about any number of transactions and updates members' cashback and the ledger (C3). Idempotent, in any order and
 * from concurrent processes. Call it only with rows of the report: a push is a hint and never moves money.
 *
 * Unchanged rows are recognised together, the others are stored in sets, each set in one database transaction. A set that fails is stored by halves, so
 * that a row which cannot be stored holds up no other. The result equals recording row by row, with one exception: a sale and its corrections on one page
 * are one change, so that members are not told of what the same page takes back. Yields one result for each row, as the rows are done.
 */
export async function* recordReport(
  db: Db,
  { networkId, rows, now, dryRun = false }: Report,
): AsyncGenerator<{ row: ReportedTransaction; recorded: RecordedRow }> {
  const inTransaction: InTransaction = dryRun ? tried : (database, work) => database.transaction().execute(work);
  for (let from = 0; from < rows.length; from += LOOKED_UP) {
    const part = rows.slice(from, from + LOOKED_UP);
    const seen = await lookUp(db, { networkId, rows: part, now, dryRun });
    if ("error" in seen) {
      yield* part.map((row) => ({ row, recorded: { outcome: "failed" as const, error: seen.error } }));
      continue;
    }
    for (const [row, { heldBecause }] of seen.unchanged)
      yield { row, recorded: { outcome: "unchanged", heldBecause, changes: [] } };
    for (const set of seen.sets) yield* recordSet(db, { networkId, set, now, inTransaction });
  }
}

/** Runs `work` in a database transaction. */
type InTransaction = <Result>(db: Db, work: (trx: Trx) => Promise<Result>) => Promise<Result>;

/** Runs `work` in a database transaction that is rolled back. */
async function tried<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const undone: { error: Error; result?: Result } = { error: new Error("A dry run is undone") };
  try {
    return await db.transaction().execute(async (trx) => {
      undone.result = await work(trx);
      // What is checked at the commit is checked now.
      await sql`set constraints all immediate`.execute(trx);
      throw undone.error;
    });
  } catch (error) {
    if (error === undone.error) return undone.result as Result;
    throw error;
  }
}

interface Report {
  networkId: string;
  rows: readonly ReportedTransaction[];
  now: Date;
  /** True: each database transaction is rolled back. The results say what would happen, but rows of one member in later sets don't see the earlier ones. */
  dryRun?: boolean;
}

/** Returns the rows that are unchanged and the sets of the others; each row by itself where the database refuses one of them. */
async function lookUp(
  db: Db,
  { networkId, rows, now, dryRun }: Report,
): Promise<{ unchanged: Unchanged; sets: Bundle[][] } | { error: unknown }> {
  try {
    const reported = { networkId, reported: rows, now };
    const unchanged = await (dryRun ? tried(db, (trx) => takeUnchanged(trx, reported)) : takeUnchanged(db, reported));
    const rest = rows.filter((row) => !unchanged.has(row));
    const members = await findMembers(db, networkId, rest);
    const sets = makeSets(
      bundleRows(rest).map((bundle) => keysOf(bundle, members)),
      MAX_SET,
    );
    return { unchanged, sets };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return { error };
    return { unchanged: new Map(), sets: rows.map((row) => [[row]]) };
  }
}

async function* recordSet(
  db: Db,
  {
    networkId,
    set,
    now,
    inTransaction,
  }: { networkId: string; set: readonly Bundle[]; now: Date; inTransaction: InTransaction },
): AsyncGenerator<{ row: ReportedTransaction; recorded: RecordedRow }> {
  const rows = set.flat();
  try {
    const recorded = await inTransaction(db, async (trx) => {
      if (set.length > 1) await sql`select pg_advisory_xact_lock(hashtext('farthing report sets'))`.execute(trx);
      return recordRows(trx, { networkId, rows, now });
    });
    for (const [row, result] of recorded) yield { row, recorded: result };
    return;
  } catch (error) {
    // Halves would fail as well while the database does not answer.
    if (rows.length === 1 || error instanceof DatabaseUnavailableError) {
      for (const row of rows) yield { row, recorded: { outcome: "failed", error } };
      return;
    }
  }
  const parts = set.length > 1 ? set : rows.map((row) => [row]);
  const half = Math.ceil(parts.length / 2);
  yield* recordSet(db, { networkId, set: parts.slice(0, half), now, inTransaction });
  yield* recordSet(db, { networkId, set: parts.slice(half), now, inTransaction });
}

/** Members by reference and by the network's id of a transaction that is known. */
interface Members {
  byReference: Map<string, string>;
  byTransaction: Map<string, string>;
}

async function findMembers(db: Db, networkId: string, rows: readonly ReportedTransaction[]): Promise<Members> {
  if (rows.length === 0) return { byReference: new Map(), byTransaction: new Map() };
  const references = rows.flatMap(({ clickReference }) => clickReference ?? []);
  const clicks = await sql<{ reference: string; member_id: string }>`
    select reference, member_id from clicks where reference = any(${references}::text[])`.execute(db);
  const known = await sql<{ id: string; member_id: string }>`
    select known.network_transaction_id as id, click.member_id
    from network_transactions known join clicks click on click.id = known.click_id
    where known.network_id = ${networkId} and known.network_transaction_id = any(${rows.map((row) => row.networkTransactionId)}::text[])`.execute(
    db,
  );
  return {
    byReference: new Map(clicks.rows.map((row) => [row.reference, row.member_id])),
    byTransaction: new Map(known.rows.map((row) => [row.id, row.member_id])),
  };
}

function keysOf(bundle: Bundle, { byReference, byTransaction }: Members): KeyedRow<Bundle> {
  const sale = bundle[0]!.networkTransactionId;
  const others = bundle.map(({ clickReference }) =>
    clickReference === null ? undefined : byReference.get(clickReference),
  );
  const members = [byTransaction.get(sale), ...others].filter((id) => id !== undefined);
  return { row: bundle, keys: [`sale ${sale}`, ...new Set(members)] };
}
