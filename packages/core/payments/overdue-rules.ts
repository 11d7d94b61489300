/** When to ask the card provider about a payment without news, and when to give it up (G3). Pure. */
import { retryDoubling } from "../due-work/rules.ts";
import type { PaymentState } from "./rules.ts";

/** News usually arrives within seconds. */
export const OVERDUE_MS = 2 * 60_000;
/** Long after the visitor's session has ended. */
const ABANDONED_MS = 24 * 60 * 60_000;
const MAX_WAIT_MS = 30 * 60_000;

/**
 * States that are undecided and known to the provider. A declined attempt is one of them, because the next attempt may
 * have been paid.
 */
export const UNDECIDED_STATES = ["awaiting_payment", "processing", "failed"] as const satisfies PaymentState[];

/** When a payment is looked up again: after 2, 4, 8 and 16 minutes, then every 30, until it is decided. */
export const nextLookAt = retryDoubling({ firstMs: OVERDUE_MS, maxMs: MAX_WAIT_MS });

/** Returns whether a payment is abandoned: nothing happened for 24 hours, and the bank is not processing it. */
export function isAbandoned({ state, changedAt }: { state: PaymentState; changedAt: Date }, now: Date): boolean {
  return (state === "awaiting_payment" || state === "failed") && now.getTime() - changedAt.getTime() >= ABANDONED_MS;
}
