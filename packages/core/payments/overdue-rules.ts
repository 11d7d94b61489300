/**
 * When to ask the card provider about a payment of which no news comes, and when to give it up (product.md G3). Pure.
 */
import { retryDoubling } from "../due-work/rules.ts";
import type { PaymentState } from "./rules.ts";

/** News usually comes within seconds. */
export const OVERDUE_MS = 2 * 60_000;
/** Long after the visitor's session is over. */
const ABANDONED_MS = 24 * 60 * 60_000;
const LONGEST_WAIT_MS = 30 * 60_000;

/**
 * Not decided yet, and known to the provider. A try that was declined is one of them: the next one may have been paid.
 */
export const UNDECIDED_STATES = ["awaiting_payment", "processing", "failed"] as const satisfies PaymentState[];

/** When a payment is looked up again: after 2, 4, 8 and 16 minutes, then every 30, until it is decided. */
export const nextLookAt = retryDoubling({ firstMs: OVERDUE_MS, longestMs: LONGEST_WAIT_MS });

/** Whether nobody will pay any more: nothing happened for 24 hours and the bank is not at work on it. */
export function isAbandoned({ state, changedAt }: { state: PaymentState; changedAt: Date }, now: Date): boolean {
  return (state === "awaiting_payment" || state === "failed") && now.getTime() - changedAt.getTime() >= ABANDONED_MS;
}
