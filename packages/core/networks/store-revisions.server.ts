import type { Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { creditsOf } from "./credit.server.ts";
import { supersedes, type NetworkStatus, type ReportedTransaction } from "./network-transaction.ts";
import { revisionHash } from "./revision-hash.ts";
import type { StoredTransaction } from "./stored-transaction.ts";

export interface StoredRevision {
  /** `unchanged`: the same revision is stored already. `stale`: a later one is. Neither changes anything. */
  outcome: "new" | "changed" | "unchanged" | "stale";
  transaction: StoredTransaction;
}

export interface RevisionToStore {
  reported: ReportedTransaction;
  /** When a calendar next changes the transaction. */
  nextChangeAt?: Date | null;
}

interface Hashed {
  reported: ReportedTransaction;
  hash: string;
  nextChangeAt: Date | null;
}

/**
 * Stores revisions of different network transactions (C2) and returns what became of each, in their order. Revisions may arrive in any order and any
 * number of times. There is one row per transaction, locked until the caller's transaction ends, and one revision row per change. Moves no money: the
 * caller does.
 * @param areSums whether each is the sum of all rows that are known under a lock (rows.server.ts): it then replaces what is stored
 */
export async function storeRevisions(
  trx: Trx,
  {
    networkId,
    revisions,
    now,
    areSums = false,
  }: { networkId: string; revisions: readonly RevisionToStore[]; now: Date; areSums?: boolean },
): Promise<StoredRevision[]> {
  // In one order, so that concurrent calls cannot deadlock.
  const wanted = revisions
    .map(({ reported, nextChangeAt = null }) => ({ reported, nextChangeAt, hash: revisionHash(reported) }))
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const known = await lockTransactions(trx, networkId, wanted.map(idOf));
  const fresh = wanted.filter((one) => !known.has(idOf(one)));
  const inserted = await insertTransactions(trx, { networkId, fresh, now });
  // What a concurrent call inserted first.
  const late = fresh.map(idOf).filter((id) => !inserted.has(id));
  for (const [id, transaction] of await lockTransactions(trx, networkId, late)) known.set(id, transaction);

  const old = wanted
    .filter((one) => !inserted.has(idOf(one)))
    .map((one) => {
      const transaction = known.get(idOf(one));
      if (!transaction) throw new Error(`Network transaction ${idOf(one)} was deleted while it was being stored.`);
      return { ...one, transaction };
    });
  const isUnchanged = (one: (typeof old)[number]) => one.transaction.revision_hash === one.hash;
  const isNews = (one: (typeof old)[number]) =>
    !isUnchanged(one) && (areSums || supersedes({ ...one.reported, hash: one.hash }, orderOf(one.transaction)));
  await markObserved(trx, old.filter(isUnchanged));
  const changed = await updateTransactions(trx, { networkId, news: old.filter(isNews), now });
  await storeRaw(
    trx,
    wanted.flatMap(({ reported }) => {
      const transaction = inserted.get(reported.networkTransactionId) ?? changed.get(reported.networkTransactionId);
      return transaction ? [{ reported, transaction }] : [];
    }),
    now,
  );
  const outcomes = new Map<string, StoredRevision>([
    ...old.map((one): [string, StoredRevision] => [
      idOf(one),
      { outcome: isUnchanged(one) ? "unchanged" : "stale", transaction: one.transaction },
    ]),
    ...[...inserted].map(([id, transaction]): [string, StoredRevision] => [id, { outcome: "new", transaction }]),
    ...[...changed].map(([id, transaction]): [string, StoredRevision] => [id, { outcome: "changed", transaction }]),
  ]);
  return revisions.map(({ reported }) => outcomes.get(reported.networkTransactionId)!);
}

function idOf({ reported }: { reported: ReportedTransaction }): string {
  return reported.networkTransactionId;
}

function orderOf(known: StoredTransaction) {
  return {
    modifiedAt: known.modified_at,
    observedAt: known.observed_at,
    status: known.status as NetworkStatus,
    hash: known.revision_hash,
  };
}

async function lockTransactions(
  trx: Trx,
  networkId: string,
  ids: readonly string[],
): Promise<Map<string, StoredTransaction>> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("network_transactions")
    .selectAll()
    .where("network_id", "=", networkId)
    .where("network_transaction_id", "in", [...ids])
    .orderBy("network_transaction_id")
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.network_transaction_id, row]));
}

/** Inserts what no concurrent call inserts first. */
async function insertTransactions(
  trx: Trx,
  { networkId, fresh, now }: { networkId: string; fresh: readonly Hashed[]; now: Date },
): Promise<Map<string, StoredTransaction>> {
  if (fresh.length === 0) return new Map();
  const credits = await creditsOf(
    trx,
    networkId,
    fresh.map(({ reported }) => ({ reported, known: null })),
  );
  const rows = await trx
    .insertInto("network_transactions")
    .values(
      fresh.map(({ reported, hash, nextChangeAt }, at) => ({
        id: newId(),
        network_id: networkId,
        network_transaction_id: reported.networkTransactionId,
        ...credits[at]!,
        ...columnsOf(reported),
        parts: JSON.stringify(reported.parts),
        next_change_at: nextChangeAt,
        revision_number: 1,
        revision_hash: hash,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(["network_id", "network_transaction_id"]).doNothing())
    .returningAll()
    .execute();
  return new Map(rows.map((row) => [row.network_transaction_id, row]));
}

/** The columns of a transaction that a revision replaces, and those that count revisions. */
const REPLACED = [
  ...["programme_id", "click_reference", "click_id", "held_because", "exchange_rate_micros"],
  ...["network_programme_id", "status", "currency", "sale_minor", "commission_minor", "parts", "paid_to_publisher"],
  ...["paid_at", "locks_at", "transaction_kind", "reason_code", "order_reference", "purchased_at", "clicked_at"],
  ...["validated_at", "modified_at", "observed_at", "next_change_at", "revision_hash", "revision_number", "updated_at"],
];

async function updateTransactions(
  trx: Trx,
  {
    networkId,
    news,
    now,
  }: { networkId: string; news: readonly (Hashed & { transaction: StoredTransaction })[]; now: Date },
): Promise<Map<string, StoredTransaction>> {
  if (news.length === 0) return new Map();
  const credits = await creditsOf(
    trx,
    networkId,
    news.map(({ reported, transaction }) => ({ reported, known: transaction })),
  );
  const rows = news.map(({ reported, hash, nextChangeAt, transaction }, at) => {
    const { programme_id, click_reference, click_id, held_because, exchange_rate_micros } = credits[at]!;
    return {
      id: transaction.id,
      ...{ programme_id, click_reference, click_id, held_because, exchange_rate_micros },
      ...columnsOf(reported),
      parts: reported.parts,
      next_change_at: nextChangeAt,
      revision_hash: hash,
      revision_number: transaction.revision_number + 1,
      updated_at: now,
    };
  });
  const assignments = REPLACED.map((column) => sql`${sql.ref(column)} = ${sql.ref(`news.${column}`)}`);
  const updated = await sql<StoredTransaction>`
    update network_transactions known set ${sql.join(assignments)}
    from jsonb_populate_recordset(null::network_transactions, ${JSON.stringify(rows)}) news
    where known.id = news.id returning known.*`.execute(trx);
  return new Map(updated.rows.map((row) => [row.network_transaction_id, row]));
}

function columnsOf(reported: ReportedTransaction) {
  return {
    network_programme_id: reported.networkProgrammeId,
    status: reported.status,
    currency: reported.currency,
    sale_minor: reported.saleMinor,
    commission_minor: reported.commissionMinor,
    paid_to_publisher: reported.paidToPublisher,
    paid_at: reported.paidAt ?? null,
    locks_at: reported.locksAt ?? null,
    transaction_kind: reported.kind ?? "sale",
    reason_code: reported.reason,
    order_reference: reported.orderReference,
    purchased_at: reported.purchasedAt,
    clicked_at: reported.clickedAt,
    validated_at: reported.validatedAt,
    modified_at: reported.modifiedAt,
    observed_at: reported.observedAt,
  };
}

/** Writes that unchanged transactions were seen again, and what their calendar has next. */
async function markObserved(trx: Trx, seen: readonly (Hashed & { transaction: StoredTransaction })[]): Promise<void> {
  const moved = seen.filter(
    ({ reported, nextChangeAt, transaction }) =>
      reported.observedAt > transaction.observed_at ||
      transaction.next_change_at?.getTime() !== nextChangeAt?.getTime(),
  );
  if (moved.length === 0) return;
  await sql`
    update network_transactions known set observed_at = greatest(known.observed_at, seen.observed_at), next_change_at = seen.next_change_at
    from unnest(${moved.map(({ transaction }) => transaction.id)}::uuid[], ${moved.map(({ reported }) => reported.observedAt)}::timestamptz[],
      ${moved.map(({ nextChangeAt }) => nextChangeAt)}::timestamptz[]) seen (id, observed_at, next_change_at)
    where known.id = seen.id`.execute(trx);
}

async function storeRaw(
  trx: Trx,
  stored: readonly { reported: ReportedTransaction; transaction: StoredTransaction }[],
  now: Date,
): Promise<void> {
  if (stored.length === 0) return;
  await trx
    .insertInto("network_transaction_revisions")
    .values(
      stored.map(({ reported, transaction }) => ({
        transaction_id: transaction.id,
        revision_number: transaction.revision_number,
        revision_hash: transaction.revision_hash,
        raw: JSON.stringify(reported.raw),
        modified_at: reported.modifiedAt,
        observed_at: reported.observedAt,
        recorded_at: now,
      })),
    )
    .execute();
}
