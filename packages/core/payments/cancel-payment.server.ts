import type { Db } from "@farthing/db/client.ts";
import { accountFor, modeOf, NoCardAccountError, type CardAccounts } from "./card-accounts.ts";
import { findPaymentRow, type PaymentRow } from "./payment-row.server.ts";
import { CardProviderRefusalError, CardProviderUnavailableError } from "./provider.ts";
import { cancelUnpaid } from "./register-payment.server.ts";
import type { PaymentOwner } from "./refund-payment.server.ts";
import { wasTaken } from "./rules.ts";

/** Why a payment may still be paid; first what a repetition helps least. */
export const cancelFaultKinds = [
  /** The provider's state is impossible: nothing was changed, and a person has to investigate. */
  "contradiction",
  /** The provider refused to cancel it. */
  "refused",
  /** No account of its mode is set up. */
  "no-account",
  /** The provider does not answer. */
  "away",
  /** The provider has not cancelled it: ask again. */
  "open",
] as const;

export interface CancelFault {
  publicId: string;
  kind: (typeof cancelFaultKinds)[number];
  /** Of a contradiction. */
  why?: string;
  error?: Error;
}

type Decided =
  /** It can't be paid any more, whoever cancelled it. */
  | { outcome: "cancelled" }
  | { outcome: "no-such-payment" }
  /** The money was taken: it can be refunded. */
  | { outcome: "paid"; payment: PaymentRow }
  /** The card provider is working on it: it becomes paid or failed. */
  | { outcome: "processing"; payment: PaymentRow };

export type CancelledPayment = Decided | { outcome: "not-cancelled"; fault: CancelFault };

interface ToCancel {
  publicId: string;
  owner: PaymentOwner;
  now: Date;
}

/** Each attempt follows the payment's state, which can change between a look and the provider's answer. */
const MAX_ATTEMPTS = 3;

/**
 * Cancels a partner's payment that is not paid (W10): at the card provider, which is told of it first where it was not.
 * Safe to repeat, and while its payer pays: the provider decides which of the two comes first.
 */
export async function tryToCancel(db: Db, accounts: CardAccounts, payment: ToCancel): Promise<CancelledPayment> {
  const { publicId } = payment;
  const failed = (fault: Omit<CancelFault, "publicId">) =>
    ({ outcome: "not-cancelled", fault: { publicId, ...fault } }) as const;
  try {
    const done = await cancelPayment(db, accounts, payment);
    if (done.outcome === "contradiction") return failed({ kind: "contradiction", why: done.why });
    return done.outcome === "open" ? failed({ kind: "open" }) : done;
  } catch (error) {
    if (error instanceof CardProviderRefusalError) return failed({ kind: "refused", error });
    if (error instanceof CardProviderUnavailableError) return failed({ kind: "away", error });
    if (error instanceof NoCardAccountError) return failed({ kind: "no-account", error });
    throw error;
  }
}

/** @throws CardProviderUnavailableError, CardProviderRefusalError, NoCardAccountError */
async function cancelPayment(
  db: Db,
  accounts: CardAccounts,
  { publicId, owner, now }: ToCancel,
): Promise<Decided | { outcome: "contradiction"; why: string } | { outcome: "open" }> {
  for (let attempt = 0; ; attempt += 1) {
    const payment = await findPaymentRow(db, { publicId }, owner);
    if (!payment) return { outcome: "no-such-payment" };
    if (payment.state === "cancelled") return { outcome: "cancelled" };
    if (wasTaken(payment.state)) return { outcome: "paid", payment };
    if (attempt === MAX_ATTEMPTS)
      return payment.state === "processing" ? { outcome: "processing", payment } : { outcome: "open" };
    const cards = accountFor(accounts, payment.mode);
    const settled = await cancelUnpaid(db, cards, payment, modeOf(accounts, cards), now);
    if (settled?.outcome === "contradiction") return settled;
  }
}
