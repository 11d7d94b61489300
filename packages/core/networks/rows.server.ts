import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { sumRows, type TransactionRow } from "./correction-rows.ts";
import { supersedes, type ReportedTransaction, type SettlementCalendar } from "./network-transaction.ts";
import { RefusedRowError } from "./refused-row.ts";
import { revisionHash } from "./revision-hash.ts";
import { storeRevisions, type StoredRevision } from "./store-revisions.server.ts";

/**
 * Stores different rows of a network that corrects sales by further rows, and the sum of each sale's rows as its revision (C2). Idempotent by the
 * network's id of the row, in any order. Returns the revision of each row's sale; null for a correction whose original is unknown: it waits for it.
 */
export async function storeRows(
  trx: Trx,
  { networkId, rows, now }: { networkId: string; rows: readonly ReportedTransaction[]; now: Date },
): Promise<(StoredRevision | null)[]> {
  // What led to a sale's new sum is its last row.
  const raws = new Map(rows.map(({ networkTransactionId, raw }) => [networkTransactionId, raw]));
  const sales = [...raws].map(([networkTransactionId, raw]) => ({ networkTransactionId, raw }));
  await lockSales(trx, networkId, sales.map(saleOf));
  const known = await findKnownRows(trx, networkId, rows);
  const wanted = rows.map((reported) => {
    const { raw, ...content } = reported;
    const hash = revisionHash(content);
    const stored = known.get(rowKey(reported));
    const isNews =
      !stored ||
      (stored.content_hash !== hash &&
        supersedes({ ...content, hash }, { ...readContent(stored.content), hash: stored.content_hash }));
    return { reported, content, raw, hash, isNews, isKnown: stored?.content_hash === hash };
  });
  const news = wanted.filter(({ isNews }) => isNews);
  if (news.length > 0)
    await trx
      .insertInto("network_transaction_rows")
      .values(
        news.map(({ reported, content, raw, hash }) => ({
          network_id: networkId,
          network_transaction_id: reported.networkTransactionId,
          network_row_id: reported.correction!.rowId,
          content: JSON.stringify(content),
          content_hash: hash,
          raw: JSON.stringify(raw),
          modified_at: reported.modifiedAt,
          observed_at: reported.observedAt,
          recorded_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["network_id", "network_transaction_id", "network_row_id"]).doUpdateSet(({ ref }) => ({
          content: ref("excluded.content"),
          content_hash: ref("excluded.content_hash"),
          raw: ref("excluded.raw"),
          modified_at: ref("excluded.modified_at"),
          observed_at: ref("excluded.observed_at"),
          recorded_at: ref("excluded.recorded_at"),
        })),
      )
      .execute();
  await markRowsObserved(
    trx,
    networkId,
    wanted.filter(({ isKnown }) => isKnown),
  );
  const sums = await storeSums(trx, { networkId, sales, now });
  const sumOf = new Map(sales.map(({ networkTransactionId }, at) => [networkTransactionId, sums[at]!]));
  return rows.map(({ networkTransactionId }) => sumOf.get(networkTransactionId) ?? null);
}

/** Writes that rows which are stored with this content were seen again. Returns those rows. */
export async function markRowsObserved(
  db: Db,
  networkId: string,
  seen: readonly { reported: ReportedTransaction; hash: string }[],
): Promise<Set<ReportedTransaction>> {
  if (seen.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    with seen as (
      select known.network_transaction_id as sale, known.network_row_id as row, known.observed_at as before, wanted.observed_at, wanted.place
      from unnest(${seen.map(({ reported }) => reported.networkTransactionId)}::text[],
        ${seen.map(({ reported }) => reported.correction!.rowId)}::text[], ${seen.map(({ hash }) => hash)}::text[],
        ${seen.map(({ reported }) => reported.observedAt)}::timestamptz[]) with ordinality wanted (sale, row, hash, observed_at, place)
      join network_transaction_rows known on known.network_id = ${networkId} and known.network_transaction_id = wanted.sale
        and known.network_row_id = wanted.row and known.content_hash = wanted.hash
      order by known.network_transaction_id, known.network_row_id for update of known
    ), moved as (
      update network_transaction_rows known set observed_at = latest.observed_at
      from (select sale, row, max(observed_at) as observed_at from seen where observed_at > before group by sale, row) latest
      where known.network_id = ${networkId} and known.network_transaction_id = latest.sale and known.network_row_id = latest.row
    )
    select place::int as place from seen`.execute(db);
  return new Set(rows.map(({ place }) => seen[place - 1]!.reported));
}

/** Names a row within its network. */
function rowKey({ networkTransactionId, correction }: ReportedTransaction): string {
  return JSON.stringify([networkTransactionId, correction!.rowId]);
}

/** Sums a sale's rows again at a date of the network's calendar. Null: it has no rows, or no original. */
export async function settleByCalendar(
  trx: Trx,
  { networkId, networkTransactionId, now }: { networkId: string; networkTransactionId: string; now: Date },
): Promise<StoredRevision | null> {
  await lockSales(trx, networkId, [networkTransactionId]);
  const sales = [{ networkTransactionId, raw: { settledByCalendar: now.toISOString() } }];
  return (await storeSums(trx, { networkId, sales, now }))[0]!;
}

export interface DueByCalendar {
  /** The transaction's. */
  id: string;
  networkId: string;
  networkTransactionId: string;
}

/**
 * Returns the sales that a network's calendar approves or pays now: all of them, a batch at a time. A date counts once the report has been read up to it:
 * after an outage of the network, corrections come before the calendar.
 */
export async function* findDueByCalendar(
  db: Db,
  { now, batch }: { now: Date; batch: number },
): AsyncGenerator<DueByCalendar> {
  for (let after: string | null = null; ;) {
    const due: DueByCalendar[] = await db
      .selectFrom("network_transactions")
      .select(["id", "network_id as networkId", "network_transaction_id as networkTransactionId"])
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
      .$if(after !== null, (query) => query.where("id", ">", after!))
      .orderBy("id")
      .limit(batch)
      .execute();
    yield* due;
    if (due.length < batch) return;
    after = due.at(-1)!.id;
  }
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

/** The locks on sales, which may have rows before there is a transaction to lock. Held until the caller's transaction ends. */
async function lockSales(trx: Trx, networkId: string, sales: readonly string[]): Promise<void> {
  const names = sales.map((sale) => `${networkId}:${sale}`).sort();
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) name`.execute(trx);
}

async function findKnownRows(trx: Trx, networkId: string, rows: readonly ReportedTransaction[]) {
  const { rows: known } = await sql<{ sale: string; row: string; content: unknown; content_hash: string }>`
    select wanted.sale, wanted.row, known.content, known.content_hash
    from unnest(${rows.map(saleOf)}::text[], ${rows.map((row) => row.correction!.rowId)}::text[]) wanted (sale, row)
    join network_transaction_rows known
      on known.network_id = ${networkId} and known.network_transaction_id = wanted.sale and known.network_row_id = wanted.row`.execute(
    trx,
  );
  return new Map(known.map((row) => [JSON.stringify([row.sale, row.row]), row]));
}

function saleOf({ networkTransactionId }: { networkTransactionId: string }): string {
  return networkTransactionId;
}

interface SaleToSum {
  networkTransactionId: string;
  /** What led to the new sum. */
  raw: unknown;
}

async function storeSums(
  trx: Trx,
  { networkId, sales, now }: { networkId: string; sales: readonly SaleToSum[]; now: Date },
): Promise<(StoredRevision | null)[]> {
  const rows = await trx
    .selectFrom("network_transaction_rows")
    .select(["network_transaction_id", "content", "observed_at"])
    .where("network_id", "=", networkId)
    .where("network_transaction_id", "in", sales.map(saleOf))
    .execute();
  const bySale = Map.groupBy(rows, (row) => row.network_transaction_id);
  const revisions = sales.map((sale) => {
    const parts = (bySale.get(sale.networkTransactionId) ?? []).map((row) => ({
      ...readContent(row.content),
      observedAt: row.observed_at,
    }));
    refuseTwoCurrencies(sale.networkTransactionId, parts);
    const sum = sumRows(parts, now);
    return sum && { reported: { ...sum.transaction, raw: sale.raw }, nextChangeAt: sum.nextChangeAt };
  });
  const known = revisions.filter((revision) => revision !== null);
  const stored = await storeRevisions(trx, { networkId, revisions: known, now, areSums: true });
  return revisions.map((revision) => (revision ? stored[known.indexOf(revision)]! : null));
}

/** @throws RefusedRowError where rows of one sale have different currencies, and so no sum */
function refuseTwoCurrencies(sale: string, rows: readonly TransactionRow[]): void {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  if (currencies.length > 1)
    throw new RefusedRowError(
      `Sale ${sale} has rows in ${currencies.join(" and ")}, which can't be added. Ask the network which is right.`,
    );
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
