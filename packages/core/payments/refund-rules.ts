import { retryAfter } from "../due-work/rules.ts";
import { pence, type Pence } from "../money/money.ts";

const MINUTE_MS = 60_000;

/** A refund that was asked for belongs to the caller for so long; then the worker finishes it. */
export const REFUND_LEASE_MS = 2 * MINUTE_MS;

/**
 * When a refund without an answer is tried again. It is sent with the same key for as long as `REFUND_KEY_MS`. The last attempt
 * comes after `REFUND_LATEST_MS`, looks for the refund at the provider, and decides it.
 */
export const nextRefundAttempt = retryAfter(
  [2, 5, 10, 30, 60, 120, 240, 480, 600].map((minutes) => minutes * MINUTE_MS),
);

/**
 * How long after it was asked for a refund may still be sent. That ends well before the provider forgets keys after 24 hours
 * (https://docs.stripe.com/api/idempotent_requests): after that, the same key would refund twice.
 */
export const REFUND_KEY_MS = 20 * 60 * MINUTE_MS;

/** How long after it was asked for a refund has reached the provider, or never will: nothing is on its way any more. */
export const REFUND_LATEST_MS = 25 * 60 * MINUTE_MS;

/** For how long a request without a key for the same amount counts as the same request. */
export const REPEATED_REFUND_MS = 24 * 60 * MINUTE_MS;

/** Refunds of one payment that may run at the same time: each of them changes the payment. */
export const MAX_RUNNING_REFUNDS = 5;

/** How the request keys of refunds begin that a partner's key asked for, and no others. */
export const PARTNER_REFUND_KEY = "api:";

/** How the request key of a refused refund begins, instead of its own or before `PARTNER_REFUND_KEY`. */
export const REFUSED_REFUND_KEY = "refused:";

/** A refund as its event tells it. */
export interface RefundNews {
  /** Null: the provider did not say which. */
  refundId: string | null;
  refundPence: Pence;
}

/**
 * Returns the events `payment.refunded` of a change of a payment's total: one for each refund that was not announced, and one without an id for what
 * they, less what came back, leave of a rise: a version that named no refunds had begun it.
 */
export function refundNews(
  risenPence: number,
  {
    unannounced,
    returnedPence,
  }: { unannounced: readonly { refundId: string; amountPence: Pence }[]; returnedPence: Pence },
): RefundNews[] {
  const named = unannounced.map(({ refundId, amountPence }) => ({ refundId, refundPence: amountPence }));
  const left = risenPence + returnedPence - unannounced.reduce((sum, { amountPence }) => sum + amountPence, 0);
  return left > 0 ? [...named, { refundId: null, refundPence: pence(left) }] : named;
}
