import type { Db } from "@farthing/db/client.ts";
import { accountFor, modeOf, type CardAccounts } from "./card-accounts.ts";
import { cancelOpen } from "./cancel-open.server.ts";
import { findPaymentRow, type PaymentRow } from "./payment-row.server.ts";
import { registerUnsent } from "./register-payment.server.ts";
import type { PaymentOwner } from "./refund-payment.server.ts";
import { wasTaken } from "./rules.ts";

export type CancelledPayment =
  /** It can't be paid any more, whoever cancelled it. */
  | { outcome: "cancelled" }
  | { outcome: "no-such-payment" }
  /** The money was taken: it can be refunded. */
  | { outcome: "paid"; payment: PaymentRow }
  /** The card provider is working on it: it becomes paid or failed. */
  | { outcome: "processing"; payment: PaymentRow }
  /** The provider has not cancelled it, so it can still be paid: ask again. */
  | { outcome: "open"; payment: PaymentRow }
  /** The provider's state is impossible: nothing was changed, and a person has to investigate. */
  | { outcome: "contradiction"; why: string };

/** Each attempt follows the payment's state, which can change between a look and the provider's answer. */
const MAX_ATTEMPTS = 3;

/**
 * Cancels a partner's payment that is not paid (W10): at the card provider, which is told of it first where it was not.
 * Safe to repeat, and while its payer pays: the provider decides which of the two comes first.
 * @throws CardProviderUnavailableError, CardProviderRefusalError, NoCardAccountError
 */
export async function cancelPayment(
  db: Db,
  accounts: CardAccounts,
  { publicId, owner, now }: { publicId: string; owner: PaymentOwner; now: Date },
): Promise<CancelledPayment> {
  for (let attempt = 0; ; attempt += 1) {
    const payment = await findPaymentRow(db, { publicId }, owner);
    if (!payment) return { outcome: "no-such-payment" };
    if (payment.state === "cancelled") return { outcome: "cancelled" };
    if (wasTaken(payment.state)) return { outcome: "paid", payment };
    if (attempt === MAX_ATTEMPTS) return { outcome: payment.state === "processing" ? "processing" : "open", payment };
    const cards = accountFor(accounts, payment.mode);
    const registered = await registerUnsent(db, cards, payment, now);
    if (!registered) continue; // it was decided meanwhile
    const settled = await cancelOpen(db, cards, { ...registered, mode: modeOf(accounts, cards) }, now);
    if (settled.outcome === "contradiction") return settled;
  }
}
