import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import { retryDoubling } from "../due-work/rules.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import type { CardProvider } from "./provider.ts";

interface FeeToRead {
  publicId: string;
  providerPaymentId: string;
}

export type DueFee = FeeToRead & Lease;

const MINUTE_MS = 60_000;

/** Fees of live payments that are to be read from the provider. None is ever given up: it is money. */
export const dueFees = openDueWork<FeeToRead>()({
  table: "payment_fees",
  id: "payment_id",
  dueAt: "next_read_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join payments payment on payment.id = work.payment_id`,
  isOpen: sql`work.next_read_at is not null`,
  columns: sql`payment.public_id as "publicId", payment.provider_payment_id as "providerPaymentId"`,
  nextAttempt: retryDoubling({ firstMs: MINUTE_MS, maxMs: 6 * 60 * MINUTE_MS }),
});

/** Notes that the fee of a payment is to be read, in the transaction that notes that it was taken. Once per payment. */
export async function expectFee(trx: Trx, paymentId: string, now: Date): Promise<void> {
  await trx
    .insertInto("payment_fees")
    .values({ payment_id: paymentId, next_read_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Reads a claimed fee and books it, once. `waiting`: the provider does not know it yet.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function readFee(
  db: Db,
  cards: Pick<CardProvider, "findFee">,
  { due, now }: { due: DueFee; now: Date },
): Promise<"booked" | "waiting" | "lost"> {
  const feePence = await cards.findFee(due.providerPaymentId);
  if (feePence === null) {
    await dueFees.fail(db, due, { now, error: "The card provider does not know the fee yet." });
    return "waiting";
  }
  return db.transaction().execute(async (trx) => {
    const posted =
      feePence === 0
        ? null
        : await postTransfer(trx, {
            key: `payment_fee:${due.id}`,
            kind: "provider_fee",
            legs: [
              { account: { kind: "card_received" }, amountPence: feePence },
              { account: { kind: "provider_fees" }, amountPence: -feePence },
            ],
            cause: { kind: "payment", id: due.id },
            happenedAt: now,
          });
    const set = { fee_pence: feePence, transfer_id: posted?.transferId ?? null, next_read_at: null };
    return (await dueFees.settle(trx, due, set)) ? "booked" : "lost";
  });
}
