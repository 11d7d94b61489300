import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { sumRows, type TransactionRow } from "./correction-rows.ts";
import { supersedes, type ReportedTransaction, type SettlementCalendar } from "./network-transaction.ts";
import { revisionHash, storeRevision, type StoredRevision } from "./operations.server.ts";

/**
 * Stores one row of a network that corrects sales by further rows, and the sum of the sale's rows as its revision (C2). Idempotent by the network's id of
 * the row, in any order. Returns null for a correction whose original is unknown: it waits for it.
 */
export async function storeRow(
  trx: Trx,
  { networkId, reported, now }: { networkId: string; reported: ReportedTransaction; now: Date },
): Promise<StoredRevision | null> {
  const { raw, ...content } = reported;
  const id = { networkId, networkTransactionId: reported.networkTransactionId };
  await lockRows(trx, id);
  const hash = revisionHash(content);
  const rowId = reported.correction!.rowId;
  const known = await trx
    .selectFrom("network_transaction_rows")
    .select(["content", "content_hash"])
    .where("network_id", "=", networkId)
    .where("network_transaction_id", "=", reported.networkTransactionId)
    .where("network_row_id", "=", rowId)
    .executeTakeFirst();
  const isNews =
    !known ||
    (known.content_hash !== hash &&
      supersedes({ ...content, hash }, { ...readContent(known.content), hash: known.content_hash }));
  if (isNews) {
    const values = {
      content: JSON.stringify(content),
      content_hash: hash,
      raw: JSON.stringify(raw),
      modified_at: reported.modifiedAt,
      observed_at: reported.observedAt,
      recorded_at: now,
    };
    await trx
      .insertInto("network_transaction_rows")
      .values({
        network_id: networkId,
        network_transaction_id: reported.networkTransactionId,
        network_row_id: rowId,
        ...values,
      })
      .onConflict((conflict) =>
        conflict.columns(["network_id", "network_transaction_id", "network_row_id"]).doUpdateSet(values),
      )
      .execute();
  } else if (known.content_hash === hash)
    await trx
      .updateTable("network_transaction_rows")
      .set({ observed_at: sql`greatest(observed_at, ${reported.observedAt})` })
      .where("network_id", "=", networkId)
      .where("network_transaction_id", "=", reported.networkTransactionId)
      .where("network_row_id", "=", rowId)
      .execute();
  return storeSum(trx, { ...id, now, raw });
}

/** Sums a sale's rows again at a date of the network's calendar. Null: it has no rows, or no original. */
export async function settleByCalendar(
  trx: Trx,
  { networkId, networkTransactionId, now }: { networkId: string; networkTransactionId: string; now: Date },
): Promise<StoredRevision | null> {
  await lockRows(trx, { networkId, networkTransactionId });
  return storeSum(trx, { networkId, networkTransactionId, now, raw: { settledByCalendar: now.toISOString() } });
}

/**
 * Returns the sales that a network's calendar approves or pays now, those due longest ago first. A date counts once the report has been read up to it:
 * after an outage of the network, corrections come before the calendar.
 */
export async function findDueByCalendar(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<{ networkId: string; networkTransactionId: string }[]> {
  return db
    .selectFrom("network_transactions")
    .select(["network_id as networkId", "network_transaction_id as networkTransactionId"])
    .where("next_change_at", "<=", now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("network_passes")
          .select("pass")
          .whereRef("network_passes.network_id", "=", "network_transactions.network_id")
          .where("pass", "<>", "payment")
          .whereRef("covered_until", ">=", "next_change_at"),
      ),
    )
    .orderBy("next_change_at")
    .limit(limit)
    .execute();
}

/** Counts the corrections that wait for their original, for operators. */
export async function countWaitingCorrections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from network_transaction_rows waiting where not exists (
      select from network_transactions known
      where known.network_id = waiting.network_id and known.network_transaction_id = waiting.network_transaction_id)`.execute(
    db,
  );
  return rows[0]!.count;
}

/** The lock on a sale, which may have rows before there is a transaction to lock. Held until the caller's transaction ends. */
async function lockRows(
  trx: Trx,
  { networkId, networkTransactionId }: { networkId: string; networkTransactionId: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${networkId}:${networkTransactionId}`}, 0))`.execute(trx);
}

async function storeSum(
  trx: Trx,
  {
    networkId,
    networkTransactionId,
    now,
    raw,
  }: { networkId: string; networkTransactionId: string; now: Date; raw: unknown },
): Promise<StoredRevision | null> {
  const rows = await trx
    .selectFrom("network_transaction_rows")
    .select(["content", "observed_at"])
    .where("network_id", "=", networkId)
    .where("network_transaction_id", "=", networkTransactionId)
    .execute();
  const sum = sumRows(
    rows.map((row) => ({ ...readContent(row.content), observedAt: row.observed_at })),
    now,
  );
  if (!sum) return null;
  return storeRevision(trx, {
    networkId,
    reported: { ...sum.transaction, raw },
    now,
    isSum: true,
    nextChangeAt: sum.nextChangeAt,
  });
}

/** Returns a stored row with its dates as dates. */
function readContent(stored: unknown): TransactionRow {
  const content = stored as Omit<TransactionRow, "calendar"> & { calendar?: Record<keyof SettlementCalendar, string> };
  const date = (value: unknown) => (value === null || value === undefined ? null : new Date(value as string));
  return {
    ...content,
    purchasedAt: new Date(content.purchasedAt),
    clickedAt: date(content.clickedAt),
    validatedAt: date(content.validatedAt),
    paidAt: date(content.paidAt),
    locksAt: date(content.locksAt),
    modifiedAt: new Date(content.modifiedAt),
    observedAt: new Date(content.observedAt),
    calendar: content.calendar
      ? { approvedFrom: new Date(content.calendar.approvedFrom), paidFrom: new Date(content.calendar.paidFrom) }
      : null,
  };
}
