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

/** Returns the worker's next step for a requested closure. */
export function nextClosureStep(closure: ClosureNow, now: Date): ClosureStep {
  if (closure.state !== "requested" || now < closure.cancellableUntil) return "wait";
  if (closure.pendingChoice === "wait" && closure.pendingPence > 0) return "wait";
  return closure.payableChoice === "pay-out" && closure.payablePence > 0 ? "await-payout" : "close";
}

/** Returns whether a payment is possible, so that we need an account to pay to. */
export function needsPayee(
  { pendingChoice, payableChoice }: MoneyChoices,
  { pendingPence, payablePence }: { pendingPence: Pence; payablePence: Pence },
): boolean {
  if (payableChoice === "give-up") return false;
  return payablePence > 0 || (pendingChoice === "wait" && pendingPence > 0);
}

/** The payee of a UK bank transfer. */
export interface Payee {
  name: string;
  /** Six digits. */
  sortCode: string;
  /** Eight digits. */
  accountNumber: string;
}

/**
 * Reads bank details as they were typed, with spaces and dashes. It does not check whether the account exists, which
 * only the bank knows.
 */
export function readPayee(
  typed: (name: string) => string,
): { value: Payee; errors: null } | { value: null; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const name = typed("payee_name").normalize("NFC");
  const sortCode = digitsOf(typed("sort_code"));
  const accountNumber = digitsOf(typed("account_number"));
  if (name === "") errors["payee_name"] = "This is a required field";
  else if ([...name].length > 70 || /[\p{Cc}\p{Cs}]/u.test(name)) errors["payee_name"] = "Use at most 70 letters.";
  if (sortCode === null || !/^\d{6}$/.test(sortCode) || /^0+$/.test(sortCode))
    errors["sort_code"] = "A sort code has six digits, like 20-00-00.";
  if (accountNumber === null || !/^\d{8}$/.test(accountNumber) || /^0+$/.test(accountNumber))
    errors["account_number"] = "An account number has eight digits. If yours is shorter, put zeros in front.";
  if (sortCode === null || accountNumber === null || Object.keys(errors).length > 0) return { value: null, errors };
  return { value: { name, sortCode, accountNumber }, errors: null };
}

/** Returns a sort code as banks print it: 20-00-00. */
export function sortCodeInPairs(sortCode: string): string {
  return sortCode.replace(/^(..)(..)(..)$/, "$1-$2-$3");
}

function digitsOf(text: string): string | null {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, "");
  return /^[0-9]*$/.test(digits) ? digits : null;
}
