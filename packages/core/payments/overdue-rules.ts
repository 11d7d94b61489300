/** When to ask the card provider about a payment of which no news comes, and when to give it up (product.md G3). Pure. */
import type { PaymentState } from "./rules.ts";

/** News usually comes within seconds. */
export const OVERDUE_MS = 2 * 60_000;
/** Long after the visitor's session is over. */
const ABANDONED_MS = 24 * 60 * 60_000;
const MAX_WAIT_MS = 30 * 60_000;

/** Not decided yet, and known to the provider. A try that was declined is one of them: the next one may have been paid. */
export const UNDECIDED_STATES = ["awaiting_payment", "processing", "failed"] as const satisfies PaymentState[];

/** When to look again after `lookups` times: 2 minutes, 4, 8, 16, then every 30. */
export function nextLookAt(lookups: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(OVERDUE_MS * 2 ** Math.min(lookups - 1, 10), MAX_WAIT_MS));
}

/** Whether nobody will pay any more: nothing happened for 24 hours and the bank is not at work on it. */
export function isAbandoned({ state, changedAt }: { state: PaymentState; changedAt: Date }, now: Date): boolean {
  return (state === "awaiting_payment" || state === "failed") && now.getTime() - changedAt.getTime() >= ABANDONED_MS;
}
