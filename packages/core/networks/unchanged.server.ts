import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { ReportedTransaction } from "./network-transaction.ts";
import { revisionHash } from "./revision-hash.ts";
import { markRowsObserved } from "./rows.server.ts";
import type { HeldReason } from "./stored-transaction.ts";

/** Why the transaction of an unchanged row is not credited; null where it is. */
export type Unchanged = Map<ReportedTransaction, { heldBecause: HeldReason | null }>;

/**
 * Returns the rows of a report that are stored with the same content, which are most rows of most reports, and writes that they were seen again (C2).
 * Two or three statements, whatever their number. A row that a calendar changes by now is not among them.
 */
export async function takeUnchanged(
  db: Db,
  { networkId, reported, now }: { networkId: string; reported: readonly ReportedTransaction[]; now: Date },
): Promise<Unchanged> {
  const whole = reported.filter((row) => !row.correction).map((row) => ({ row, hash: revisionHash(row) }));
  const parts = reported.filter((row) => row.correction).map((row) => ({ reported: row, hash: revisionHash(row) }));
  const seenRows = await markRowsObserved(db, networkId, parts);
  const known = parts.map((part) => part.reported).filter((row) => seenRows.has(row));
  return new Map([
    ...(await markObserved(db, { networkId, now, rows: whole })),
    ...(await markObserved(db, { networkId, now, rows: known.map((row) => ({ row, hash: null })) })),
  ]);
}

/** @param rows null for a hash: the transaction is the sum of rows, of which this one is known */
async function markObserved(
  db: Db,
  {
    networkId,
    now,
    rows,
  }: { networkId: string; now: Date; rows: readonly { row: ReportedTransaction; hash: string | null }[] },
): Promise<Unchanged> {
  if (rows.length === 0) return new Map();
  const found = await sql<{ place: number; held_because: HeldReason | null }>`
    with seen as (
      select known.id, known.held_because, known.observed_at as before, wanted.observed_at, wanted.place
      from unnest(${rows.map(({ row }) => row.networkTransactionId)}::text[], ${rows.map(({ hash }) => hash)}::text[],
        ${rows.map(({ row }) => row.observedAt)}::timestamptz[]) with ordinality wanted (transaction, hash, observed_at, place)
      join network_transactions known on known.network_id = ${networkId} and known.network_transaction_id = wanted.transaction
        and (wanted.hash is null and coalesce(known.next_change_at > ${now}, true)
          or known.revision_hash = wanted.hash and known.next_change_at is null)
      order by known.network_transaction_id for update of known
    ), moved as (
      update network_transactions known set observed_at = latest.observed_at
      from (select id, max(observed_at) as observed_at from seen where observed_at > before group by id) latest
      where known.id = latest.id
    )
    select place::int as place, held_because from seen`.execute(db);
  return new Map(found.rows.map((one) => [rows[one.place - 1]!.row, { heldBecause: one.held_because }]));
}
