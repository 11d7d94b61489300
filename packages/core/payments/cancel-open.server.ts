import type { Db, Trx } from "@farthing/db/client.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { announceEvent } from "../partners/webhooks.server.ts";
import { wakeLinesOf } from "./gift-card-lines.server.ts";
import { findPaymentRow, newsOf, recordChange, type PaymentRow } from "./payment-row.server.ts";
import type { CardProvider } from "./provider.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";

export type OpenPayment = Pick<PaymentRow, "id" | "publicId" | "state" | "version" | "providerPaymentId" | "mode">;

/**
 * Cancels a payment in our books, because the card provider refuses to make it (register-payment.server.ts), and announces that.
 * Returns false if the provider already has the payment, or it was decided meanwhile.
 */
export async function cancelUnsent(trx: Trx, { id, publicId, state }: OpenPayment, now: Date): Promise<boolean> {
  if (state !== "created") return false;
  const cancelled = await trx
    .updateTable("payments")
    .set({ state: "cancelled", version: 1, changed_at: now })
    .where("id", "=", id)
    .where("state", "=", "created")
    .returning("id")
    .executeTakeFirst();
  const row = cancelled && (await findPaymentRow(trx, { publicId }));
  if (!row) return false;
  const { version, partnerId, mode } = row;
  await recordChange(trx, { id, version, state: "cancelled", refundedPence: 0, transferId: null, now });
  await wakeLinesOf(trx, id, now);
  const data = { ...newsOf(row), failureCode: null };
  await announceEvent(trx, { partnerId, mode, kind: "payment.failed", data, now });
  return true;
}

/**
 * Cancels a payment at the card provider and settles it from the provider's answer, whatever that is: it may have been paid meanwhile.
 * Safe to repeat.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function cancelOpen(
  db: Db,
  cards: Pick<CardProvider, "findPayment" | "findRefunds" | "cancelPayment">,
  {
    id,
    version,
    providerPaymentId,
    mode,
  }: Pick<OpenPayment, "id" | "version" | "providerPaymentId"> & { mode: PartnerMode | null },
  now: Date,
): Promise<SettledPayment> {
  if (providerPaymentId === null) return { outcome: "unknown" };
  await cards.cancelPayment({ key: `cancel:${id}:${version}`, providerPaymentId });
  return settlePayment(db, cards, { providerPaymentId, mode, now });
}
