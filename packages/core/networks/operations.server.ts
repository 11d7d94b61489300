import type { Db, Trx } from "@farthing/db/client.ts";
import type { RateMicros } from "../money/money.ts";
import { creditsOf } from "./credit.server.ts";
import type { StoredTransaction } from "./stored-transaction.ts";

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
  const reported = {
    networkTransactionId: known.network_transaction_id,
    networkProgrammeId: known.network_programme_id,
    clickReference: known.click_reference,
    orderReference: known.order_reference,
    currency: known.currency,
    purchasedAt: known.purchased_at,
  };
  const [credit] = await creditsOf(trx, known.network_id, [{ reported, known }]);
  if (credit!.held_because === known.held_because) return null;
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
