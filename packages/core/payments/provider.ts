/** What payments need from a card provider (G3). Amounts are pence sterling. */
import type { Pence } from "../money/money.ts";
import type { FailureCode } from "./failure-codes.ts";
import type { DisputeState } from "./dispute-rules.ts";

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
  /** Why the latest attempt failed; null where it did not, and where the provider gives no reason. */
  failureCode: FailureCode | null;
}

/** The provider's present state of a dispute. */
export interface ObservedDispute {
  providerDisputeId: string;
  state: DisputeState;
  /** Why the payer disputes it, in the provider's words: `fraudulent`. */
  reason: string;
  amountPence: Pence;
  /** Taken from our balance for it and not returned. */
  withdrawnPence: Pence;
  /** Charged for the dispute and not returned. */
  feePence: Pence;
  /** Null: no evidence is asked for. */
  evidenceDueAt: Date | null;
  hasEvidence: boolean;
  openedAt: Date;
}

/** The provider's present state of a refund. */
export interface ObservedRefund {
  providerRefundId: string;
  /** Our refund that it was made for, as we told the provider; null: made elsewhere, or before we told it. */
  refundId: string | null;
  /** `failed`: the payer's bank could not take it, and the money came back. */
  status: "pending" | "done" | "failed";
  amountPence: Pence;
  madeAt: Date;
}

/** A verified webhook event: which payment to ask about. */
export interface CardEvent {
  id: string;
  kind: string;
  /** Null: not about a payment. */
  providerPaymentId: string | null;
  /** What has to be read beside the payment. */
  about: "payment" | "refund" | "dispute";
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
  /** Returns the secret with which the payer's browser pays a payment that was created. */
  findClientSecret(providerPaymentId: string): Promise<string>;
  /**
   * Begins a payment that is not made yet at the payer's bank. Returns the page where the payer goes on, which sends them
   * to `returnUrl` afterwards. Null: the provider does not offer it for this payment, or not any more.
   */
  startAtBank(request: { key: string; providerPaymentId: string; returnUrl: string }): Promise<{ url: string } | null>;
  /** Null: the provider has no such payment. */
  findPayment(providerPaymentId: string): Promise<ObservedPayment | null>;
  /**
   * Cancels a payment that is not made yet. One that can't be cancelled any more (paid, cancelled, at the bank) stays
   * as it is: read its state.
   */
  cancelPayment(request: { key: string; providerPaymentId: string }): Promise<void>;
  /** `refundId` is our name for it, which `findRefunds` returns. Access that is denied says nothing about an earlier call: it is no refusal. */
  refund(request: { key: string; refundId: string; providerPaymentId: string; amountPence: Pence }): Promise<void>;
  /** Returns the refunds of a payment, whoever made them, the oldest first. */
  findRefunds(providerPaymentId: string): Promise<ObservedRefund[]>;
  /** Returns the disputes of a payment, the oldest first. */
  findDisputes(providerPaymentId: string): Promise<ObservedDispute[]>;
  /** Returns what the provider keeps of a payment that was taken; null: it is not known yet. */
  findFee(providerPaymentId: string): Promise<Pence | null>;
  /** Returns what the provider has of ours: available and pending. */
  findBalance(): Promise<Pence>;
  /** Returns the payments with a dispute that was opened at `since` or later. */
  listDisputedPayments(request: { since: Date }): Promise<string[]>;
  /** Reads a webhook from its exact bytes; refuses a wrong or expired signature. */
  readWebhook(webhook: { body: string; signature: string; now: Date }): ReadCardEvent;
}

/**
 * The provider can't be reached, is too busy, or does not let us ask: try again later. The call may have taken effect; its key makes
 * repeating it safe.
 */
export class CardProviderUnavailableError extends Error {
  constructor(cause: unknown, message = "The card provider does not answer.") {
    super(message, { cause });
    this.name = "CardProviderUnavailableError";
  }
}

/** Returns whether the provider can't be reached. By its name: a page's bundle has a class of its own, the adapter the server's. */
export function isCardProviderUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === "CardProviderUnavailableError";
}

/** Returns whether the provider refused a call, by the error's name as above. */
export function isCardProviderRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "CardProviderRefusalError";
}

/** The provider refused the call: a fault of ours or of the account's settings. */
export class CardProviderRefusalError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "CardProviderRefusalError";
  }
}
