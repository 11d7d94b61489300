/** What payments need of a card provider (product.md G3). Amounts are pence of pounds sterling. */
import type { Pence } from "../money/money.ts";

/** What the provider says about a payment now. */
export interface ObservedPayment {
  providerPaymentId: string;
  /** The payment of ours that it was made for, as we told the provider; null: it was made by someone else. */
  paymentId: string | null;
  /** `taken`: the money is ours, apart from what was given back since. */
  status: "awaiting_payment" | "processing" | "failed" | "cancelled" | "taken";
  amountPence: Pence;
  /** Given back so far, all refunds together. */
  refundedPence: Pence;
}

/** News by webhook, its signature checked: which payment to ask about. */
export interface CardEvent {
  id: string;
  kind: string;
  /** Null: not about a payment. */
  providerPaymentId: string | null;
}

export type ReadCardEvent = { outcome: "read"; event: CardEvent } | { outcome: "refused"; why: string };

/** Every call that changes something carries a key of ours: the same key never does a thing twice. */
export interface CardProvider {
  createCustomer(request: { key: string }): Promise<{ customerId: string }>;
  /** A short-lived secret with which the customer's own browser sees and saves cards. */
  createCustomerSession(request: { customerId: string }): Promise<{ secret: string }>;
  createPayment(request: {
    key: string;
    paymentId: string;
    customerId: string;
    amountPence: Pence;
    description: string;
  }): Promise<{ providerPaymentId: string; clientSecret: string }>;
  /** Null: the provider knows no such payment. */
  findPayment(providerPaymentId: string): Promise<ObservedPayment | null>;
  /** Ends a payment that was not made yet. One that can't be ended any more (paid, cancelled, at the bank) stays as it is: ask where it stands. */
  cancelPayment(request: { key: string; providerPaymentId: string }): Promise<void>;
  refund(request: { key: string; providerPaymentId: string; amountPence: Pence }): Promise<void>;
  /** Reads a webhook from its exact bytes; one with a wrong signature or an old one is refused. */
  readWebhook(webhook: { body: string; signature: string; now: Date }): ReadCardEvent;
}

/** The provider can't be reached, or is too busy: try again later. Nothing is known about whether the call did anything; its key makes repeating it safe. */
export class CardProviderUnavailableError extends Error {
  constructor(cause: unknown) {
    super("The card provider does not answer.", { cause });
    this.name = "CardProviderUnavailableError";
  }
}

/** The provider refused the call: a fault of ours or of the account's settings. */
export class CardProviderRefusalError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "CardProviderRefusalError";
  }
}
