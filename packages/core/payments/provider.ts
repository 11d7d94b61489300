/** What payments need from a card provider (G3). Amounts are pence sterling. */
import type { Pence } from "../money/money.ts";

/** The provider's present state of a payment. */
export interface ObservedPayment {
  providerPaymentId: string;
  /** Our payment that it was made for, as we told the provider; null: another system made it. */
  paymentId: string | null;
  /** `taken`: we received the money, apart from later refunds. */
  status: "awaiting_payment" | "processing" | "failed" | "cancelled" | "taken";
  amountPence: Pence;
  /** Total of all refunds so far. */
  refundedPence: Pence;
}

/** A verified webhook event: which payment to ask about. */
export interface CardEvent {
  id: string;
  kind: string;
  /** Null: not about a payment. */
  providerPaymentId: string | null;
}

export type ReadCardEvent = { outcome: "read"; event: CardEvent } | { outcome: "refused"; why: string };

/** Every call that changes something has an idempotency key of ours: the same key never acts twice. */
export interface CardProvider {
  createCustomer(request: { key: string }): Promise<{ customerId: string }>;
  /** A short-lived secret with which the customer's browser sees and saves cards. */
  createCustomerSession(request: { customerId: string }): Promise<{ secret: string }>;
  createPayment(request: {
    key: string;
    paymentId: string;
    customerId: string;
    amountPence: Pence;
    description: string;
    /** Where the provider sends its receipt. */
    email?: string | null;
  }): Promise<{ providerPaymentId: string; clientSecret: string }>;
  /** Null: the provider has no such payment. */
  findPayment(providerPaymentId: string): Promise<ObservedPayment | null>;
  /**
   * Cancels a payment that is not made yet. One that can't be cancelled any more (paid, cancelled, at the bank) stays
   * as it is: read its state.
   */
  cancelPayment(request: { key: string; providerPaymentId: string }): Promise<void>;
  refund(request: { key: string; providerPaymentId: string; amountPence: Pence }): Promise<void>;
  /** Reads a webhook from its exact bytes; refuses a wrong or expired signature. */
  readWebhook(webhook: { body: string; signature: string; now: Date }): ReadCardEvent;
}

/**
 * The provider can't be reached or is too busy: try again later. The call may have taken effect; its key makes
 * repeating it safe.
 */
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
