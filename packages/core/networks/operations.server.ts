import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { creditsOf, type ToCredit } from "./credit.server.ts";
import type { HeldReason, StoredTransaction } from "./stored-transaction.ts";

/**
 * Returns the held transactions that something has changed for since they were held: their programme or exchange rate. Looks at all, a batch at a time:
 * those that stay held, however many, never keep a later one waiting.
 */
export async function* findReconsiderable(db: Db, { batch }: { batch: number }): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const held: StoredTransaction[] = await db
      .selectFrom("network_transactions")
      .selectAll()
      .where("held_because", "in", ["unknown_programme", "no_exchange_rate"] satisfies HeldReason[])
      .$if(after !== null, (query) => query.where("id", ">", after!))
      .orderBy("id")
      .limit(batch)
      .execute();
    yield* await db.transaction().execute((trx) => withAnotherCredit(trx, held));
    if (held.length < batch) return;
    after = held.at(-1)!.id;
  }
}

async function withAnotherCredit(trx: Trx, held: readonly StoredTransaction[]): Promise<string[]> {
  const changed: string[] = [];
  for (const [networkId, known] of Map.groupBy(held, ({ network_id }) => network_id)) {
    const credits = await creditsOf(trx, networkId, known.map(asReported));
    changed.push(...known.filter((one, at) => credits[at]!.held_because !== one.held_because).map(({ id }) => id));
  }
  return changed;
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
  const [credit] = await creditsOf(trx, known.network_id, [asReported(known)]);
  if (credit!.held_because === known.held_because) return null;
  const transaction = await trx
    .updateTable("network_transactions")
    .set({ ...credit, updated_at: now })
    .where("id", "=", known.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return transaction.held_because === null ? transaction : null;
}

function asReported(known: StoredTransaction): ToCredit {
  return {
    reported: {
      networkTransactionId: known.network_transaction_id,
      networkProgrammeId: known.network_programme_id,
      clickReference: known.click_reference,
      orderReference: known.order_reference,
      currency: known.currency,
      purchasedAt: known.purchased_at,
    },
    known,
  };
}

/** Writes that the network is asked now whether it has paid for these transactions: whatever it answers, the others come first the next time. */
export async function markPaymentAsked(
  db: Db,
  { networkId, networkTransactionIds, now }: { networkId: string; networkTransactionIds: readonly string[]; now: Date },
): Promise<void> {
  // Locked in the order of storeRevisions, so that concurrent calls cannot deadlock.
  await sql`
    with asked as (
      select id from network_transactions where network_id = ${networkId} and network_transaction_id = any(${networkTransactionIds}::text[])
      order by network_transaction_id for update)
    update network_transactions known set payment_asked_at = ${now} from asked where known.id = asked.id`.execute(db);
}
