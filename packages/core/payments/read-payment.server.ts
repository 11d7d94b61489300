import type { Db } from "@farthing/db/client.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { findPaymentRow } from "./payment-row.server.ts";
import type { CardEvent, CardProvider } from "./provider.ts";
import { settleDisputes } from "./settle-disputes.server.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";
import { settleRefunds } from "./settle-refunds.server.ts";

/**
 * Updates a payment from the provider, and then what `about` names beside it; "all" is both. The payment comes first, so that a
 * dispute that is heard of before its payment finds it paid.
 * @param mode whose payments `cards` settles; null: both
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function readPayment(
  db: Db,
  cards: Pick<CardProvider, "findPayment" | "findRefunds" | "findDisputes" | "cancelPayment">,
  {
    providerPaymentId,
    about,
    mode = null,
    now,
  }: { providerPaymentId: string; about: CardEvent["about"] | "all"; mode?: PartnerMode | null; now: Date },
): Promise<SettledPayment> {
  const settled = await settlePayment(db, cards, { providerPaymentId, mode, now });
  if (settled.outcome !== "settled" || about === "payment") return settled;
  const payment = await findPaymentRow(db, { providerPaymentId });
  if (!payment) return settled;
  // Where the total has changed, they were read with it.
  const refunds = about === "dispute" || settled.refunds ? null : await settleRefunds(db, cards, { payment, now });
  if (about !== "refund") {
    const disputes = await settleDisputes(db, cards, { payment, now });
    if (disputes.outcome === "contradiction") return disputes;
  }
  return refunds ? { ...settled, refunds } : settled;
}
