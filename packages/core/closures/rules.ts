/** The lifecycle of a closure (M5, docs/operations/privacy.md). Pure. */
import type { Pence } from "../money/money.ts";

export type ClosureState = "requested" | "awaiting_payout" | "closed" | "cancelled";

/** All transitions; check_closure_change.sql enforces the same pairs. */
export const CLOSURE_TRANSITIONS = {
  requested: ["awaiting_payout", "closed", "cancelled"],
  awaiting_payout: ["closed"],
  closed: [],
  cancelled: [],
} as const satisfies Record<ClosureState, readonly ClosureState[]>;

export const closureDays = {
  /** Minimum time in which a member can cancel. */
  cancel: 7,
  /** How long bank details are kept after the payment, in case it is returned. */
  keepPayee: 30,
} as const;

export function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 24 * 60 * 60 * 1000);
}

export interface MoneyChoices {
  /** Cashback that retailers have not decided on: wait for it, or leave without it. */
  pendingChoice: "wait" | "give-up";
  /** Payable cashback: paid out, or left to the club. */
  payableChoice: "pay-out" | "give-up";
}

export interface ClosureNow extends MoneyChoices {
  state: ClosureState;
  cancellableUntil: Date;
  /** Tracked and confirmed, from the ledger. */
  pendingPence: Pence;
  /** Negative if a retailer took back cashback that was already paid; members are never asked to return it. */
  payablePence: Pence;
}

export type ClosureStep = "wait" | "await-payout" | "close";

/** Returns the worker's next step for an open closure without a payout under way. */
export function nextClosureStep(closure: ClosureNow, now: Date): ClosureStep {
  const { state } = closure;
  if ((state !== "requested" && state !== "awaiting_payout") || now < closure.cancellableUntil) return "wait";
  if (closure.pendingChoice === "wait" && closure.pendingPence > 0) return "wait";
  // A payment closes the account. When shops have taken the money back, there is none to wait for.
  if (state === "awaiting_payout") return closure.payablePence > 0 ? "wait" : "close";
  return closure.payableChoice === "pay-out" && closure.payablePence > 0 ? "await-payout" : "close";
}

/** Returns until when nothing is paid to the account of a last payout; null: it can be paid to now. */
export function payeeHeldUntil(usableFrom: Date | null, now: Date): Date | null {
  return usableFrom !== null && usableFrom > now ? usableFrom : null;
}

/** Returns whether a payment is possible, so that we need an account to pay to. */
export function needsPayee(
  { pendingChoice, payableChoice }: MoneyChoices,
  { pendingPence, payablePence }: { pendingPence: Pence; payablePence: Pence },
): boolean {
  if (payableChoice === "give-up") return false;
  return payablePence > 0 || (pendingChoice === "wait" && pendingPence > 0);
}
