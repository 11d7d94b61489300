import { createHash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { Selectable } from "kysely";
import type { NetworkTransactions } from "@farthing/db/schema.ts";
import { PAR, type RateMicros } from "../money/money.ts";
import { supersedes, type NetworkStatus, type ReportedTransaction } from "./network-transaction.ts";

export type StoredTransaction = Selectable<NetworkTransactions>;

/** Why no member is credited for a transaction. Operators see these; the last two are retried. */
export type HeldReason =
  | "no_reference"
  | "unknown_reference"
  | "other_retailer"
  | "unknown_programme"
  | "no_exchange_rate";

export interface StoredRevision {
  /** `unchanged`: the same revision is stored already. `stale`: a later one is. Neither changes anything. */
  outcome: "new" | "changed" | "unchanged" | "stale";
  transaction: StoredTransaction;
}

/**
 * Stores a revision of a network transaction (C2). Revisions may arrive in any order and any number of times. There is one row per transaction,
 * locked until the caller's transaction ends, and one revision row per change. Moves no money: the caller does.
 */
export async function storeRevision(
  trx: Trx,
  { networkId, reported, now }: { networkId: string; reported: ReportedTransaction; now: Date },
): Promise<StoredRevision> {
  const hash = revisionHash(reported);
  const known =
    (await lockTransaction(trx, networkId, reported.networkTransactionId)) ??
    (await insertTransaction(trx, networkId, reported, hash, now));
  if ("inserted" in known) {
    await storeRaw(trx, known.inserted, reported, now);
    return { outcome: "new", transaction: known.inserted };
  }
  if (known.revision_hash === hash) {
    if (reported.observedAt > known.observed_at)
      await trx
        .updateTable("network_transactions")
        .set({ observed_at: reported.observedAt })
        .where("id", "=", known.id)
        .execute();
    return { outcome: "unchanged", transaction: known };
  }
  const current = {
    modifiedAt: known.modified_at,
    observedAt: known.observed_at,
    status: known.status as NetworkStatus,
    hash: known.revision_hash,
  };
  if (!supersedes({ ...reported, hash }, current)) return { outcome: "stale", transaction: known };

  const transaction = await trx
    .updateTable("network_transactions")
    .set({
      ...(await creditOf(trx, networkId, reported, known)),
      ...columnsOf(reported),
      revision_hash: hash,
      revision_number: known.revision_number + 1,
      updated_at: now,
    })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeRaw(trx, transaction, reported, now);
  return { outcome: "changed", transaction };
}

/** Retries a held transaction, whose programme or exchange rate may be known by now. Returns it when it can be credited, else null. */
export async function reconsiderHeld(
  trx: Trx,
  { transactionId, now }: { transactionId: string; now: Date },
): Promise<StoredTransaction | null> {
  const known = await trx
    .selectFrom("network_transactions")
    .selectAll()
    .where("id", "=", transactionId)
    .where("held_because", "is not", null)
    .forUpdate()
    .executeTakeFirst();
  if (!known) return null;
  const credit = await creditOf(
    trx,
    known.network_id,
    {
      networkProgrammeId: known.network_programme_id,
      clickReference: known.click_reference,
      currency: known.currency,
      purchasedAt: known.purchased_at,
    },
    known,
  );
  if (credit.held_because === known.held_because) return null;
  const transaction = await trx
    .updateTable("network_transactions")
    .set({ ...credit, updated_at: now })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return transaction.held_because === null ? transaction : null;
}

/** Sets the exchange rate of a foreign currency from a moment on, in millionths of a pound per unit. Known purchases keep their rate. */
export async function setExchangeRate(
  db: Db,
  { currency, rateMicros, validFrom }: { currency: string; rateMicros: RateMicros; validFrom: Date },
): Promise<void> {
  await db
    .insertInto("exchange_rates")
    .values({ currency, rate_micros: rateMicros, valid_from: validFrom })
    .onConflict((conflict) => conflict.columns(["currency", "valid_from"]).doUpdateSet({ rate_micros: rateMicros }))
    .execute();
}

function lockTransaction(
  trx: Trx,
  networkId: string,
  networkTransactionId: string,
): Promise<StoredTransaction | undefined> {
  return trx
    .selectFrom("network_transactions")
    .selectAll()
    .where("network_id", "=", networkId)
    .where("network_transaction_id", "=", networkTransactionId)
    .forUpdate()
    .executeTakeFirst();
}

/** Inserts the row, or locks the one that a concurrent call has inserted. */
async function insertTransaction(
  trx: Trx,
  networkId: string,
  reported: ReportedTransaction,
  hash: string,
  now: Date,
): Promise<StoredTransaction | { inserted: StoredTransaction }> {
  const inserted = await trx
    .insertInto("network_transactions")
    .values({
      id: newId(),
      network_id: networkId,
      network_transaction_id: reported.networkTransactionId,
      ...(await creditOf(trx, networkId, reported, null)),
      ...columnsOf(reported),
      revision_number: 1,
      revision_hash: hash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["network_id", "network_transaction_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { inserted };
  const known = await lockTransaction(trx, networkId, reported.networkTransactionId);
  if (!known)
    throw new Error(`Network transaction ${reported.networkTransactionId} was deleted while it was being stored.`);
  return known;
}

function columnsOf(reported: ReportedTransaction) {
  return {
    network_programme_id: reported.networkProgrammeId,
    status: reported.status,
    currency: reported.currency,
    sale_minor: reported.saleMinor,
    commission_minor: reported.commissionMinor,
    parts: JSON.stringify(reported.parts),
    paid_to_publisher: reported.paidToPublisher,
    reason_code: reported.reason,
    order_reference: reported.orderReference,
    purchased_at: reported.purchasedAt,
    clicked_at: reported.clickedAt,
    validated_at: reported.validatedAt,
    locks_at: reported.locksAt ?? null,
    modified_at: reported.modifiedAt,
    observed_at: reported.observedAt,
  };
}

/**
 * Returns the columns that say who is credited. The reference must be that of a click at the retailer that reports the sale. A credited
 * transaction stays credited, even if a later revision has lost its reference. The exchange rate is that of the purchase's date; it is set once.
 */
async function creditOf(
  trx: Trx,
  networkId: string,
  reported: Pick<ReportedTransaction, "networkProgrammeId" | "clickReference" | "currency" | "purchasedAt">,
  known: StoredTransaction | null,
) {
  if (known && known.held_because === null) return {};
  const rate = known?.exchange_rate_micros ?? (await exchangeRateAt(trx, reported.currency, reported.purchasedAt));
  const programme = await trx
    .selectFrom("programmes")
    .select(["id", "retailer_id"])
    .where("network_id", "=", networkId)
    .where("network_programme_id", "=", reported.networkProgrammeId)
    .executeTakeFirst();
  const reference = reported.clickReference;
  const click =
    reference === null
      ? undefined
      : await trx
          .selectFrom("clicks")
          .select(["id", "retailer_id"])
          .where("reference", "=", reference)
          .where("network_id", "=", networkId)
          .executeTakeFirst();
  const held: HeldReason | null =
    reference === null
      ? "no_reference"
      : !click
        ? "unknown_reference"
        : !programme
          ? "unknown_programme"
          : click.retailer_id !== programme.retailer_id
            ? "other_retailer"
            : rate === null
              ? "no_exchange_rate"
              : null;
  return {
    programme_id: programme?.id ?? null,
    click_reference: reference,
    click_id: click?.id ?? null,
    held_because: held,
    exchange_rate_micros: rate,
  };
}

async function exchangeRateAt(trx: Trx, currency: string, moment: Date): Promise<RateMicros | null> {
  if (currency === "GBP") return PAR;
  const row = await trx
    .selectFrom("exchange_rates")
    .select("rate_micros")
    .where("currency", "=", currency)
    .where("valid_from", "<=", moment)
    .orderBy("valid_from", "desc")
    .executeTakeFirst();
  return row?.rate_micros ?? null;
}

async function storeRaw(
  trx: Trx,
  transaction: StoredTransaction,
  reported: ReportedTransaction,
  now: Date,
): Promise<void> {
  await trx
    .insertInto("network_transaction_revisions")
    .values({
      transaction_id: transaction.id,
      revision_number: transaction.revision_number,
      revision_hash: transaction.revision_hash,
      raw: JSON.stringify(reported.raw),
      modified_at: reported.modifiedAt,
      observed_at: reported.observedAt,
      recorded_at: now,
    })
    .execute();
}

/** Hashes everything that a member's money can depend on: not when it was observed, and not the raw row. */
function revisionHash(reported: ReportedTransaction): string {
  const { observedAt: _observedAt, raw: _raw, ...content } = reported;
  return createHash("sha256")
    .update(JSON.stringify(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex");
}
