import { actOutside } from "@farthing/core/audit/act.server.ts";
import type { CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import { findPaymentRow } from "@farthing/core/payments/payment-row.server.ts";
import {
  refundPayment,
  type RefundedPayment,
  type RefundRequest,
} from "@farthing/core/payments/refund-payment.server.ts";
import type { Db } from "@farthing/db/client.ts";

/**
 * Refunds a payment on behalf of whoever runs the command, with its entries in the log (A1). An id that names no payment
 * leaves no entry.
 * @throws CardProviderUnavailableError, NoCardAccountError
 */
export async function refundWithEntry(
  db: Db,
  accounts: CardAccounts,
  { by, ...request }: RefundRequest & { by: string },
): Promise<RefundedPayment> {
  const { publicId, now } = request;
  if (!(await findPaymentRow(db, { publicId }))) return { outcome: "no-such-payment" };
  const what = {
    permission: "money.change",
    action: "payment.refund",
    subject: { type: "payment", id: publicId },
    changed: ({ outcome }: RefundedPayment) => outcome === "refunded" || outcome === "contradiction",
  } as const;
  return actOutside(db, { command: by, now }, what, (own) => refundPayment(own, accounts, request));
}
