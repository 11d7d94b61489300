import type { Db } from "@farthing/db/client.ts";
import type { Pence } from "../money/money.ts";
import { findPaymentRow } from "./payment-row.server.ts";
import type { CardProvider } from "./provider.ts";
import { refundProblem, type PaymentPosition } from "./rules.ts";
import { settlePayment } from "./settle-payment.server.ts";

export type RefundedPayment =
  | { outcome: "refunded"; payment: PaymentPosition }
  | { outcome: "no-such-payment" }
  | { outcome: "not-paid" | "more-than-left" | "not-an-amount"; payment: PaymentPosition }
  | { outcome: "contradiction"; why: string };

/**
 * Refunds a payment, whole or in part. Calls the provider first, with a key that depends on the payment's version: a
 * command that was interrupted and is repeated refunds once. Then the payment is updated from the provider's state, as
 * after a webhook.
 * @param amountPence null: everything that is left
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function refundPayment(
  db: Db,
  cards: CardProvider,
  { publicId, amountPence, now }: { publicId: string; amountPence: Pence | null; now: Date },
): Promise<RefundedPayment> {
  const row = await findPaymentRow(db, { publicId });
  if (!row) return { outcome: "no-such-payment" };
  const amount = amountPence ?? row.amountPence - row.refundedPence;
  const problem = refundProblem(row, amount);
  const { providerPaymentId } = row;
  if (problem || providerPaymentId === null) return { outcome: problem ?? "not-paid", payment: row };
  await cards.refund({ key: `refund:${row.id}:${row.version}:${amount}`, providerPaymentId, amountPence: amount });
  const settled = await settlePayment(db, cards, { providerPaymentId, now });
  if (settled.outcome === "settled") return { outcome: "refunded", payment: settled.payment };
  return settled.outcome === "unknown" ? { outcome: "no-such-payment" } : settled;
}
