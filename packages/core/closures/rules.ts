/** How a member leaves (product.md M5, docs/operations/privacy.md). Pure. */
import type { Pence } from "../money/money.ts";

export type ClosureState = "requested" | "awaiting_payout" | "closed" | "cancelled";

/** The whole of what can happen; migration 0052 enforces the same pairs. */
export const CLOSURE_TRANSITIONS = {
  requested: ["awaiting_payout", "closed", "cancelled"],
  awaiting_payout: ["closed"],
  closed: [],
  cancelled: [],
} as const satisfies Record<ClosureState, readonly ClosureState[]>;

export const closureDays = {
  /** How long a member can change their mind at least. */
  cancel: 7,
  /** How long bank details are kept after the payment, in case it comes back. */
  keepPayee: 30,
} as const;

export function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 24 * 60 * 60 * 1000);
}

export interface MoneyChoices {
  /** Cashback that shops have not decided on: wait for it, or leave without it. */
  pendingChoice: "wait" | "give-up";
  /** What is payable: paid out, or left to the club. */
  payableChoice: "pay-out" | "give-up";
}

export interface ClosureNow extends MoneyChoices {
  state: ClosureState;
  cancellableUntil: Date;
  /** Tracked and confirmed, as the ledger has it. */
  pendingPence: Pence;
  /** Negative where a shop took back what was paid: that is never asked for. */
  payablePence: Pence;
}

export type ClosureStep = "wait" | "await-payout" | "close";

/** What the worker does with a closure that was asked for. */
export function nextClosureStep(closure: ClosureNow, now: Date): ClosureStep {
  if (closure.state !== "requested" || now < closure.cancellableUntil) return "wait";
  if (closure.pendingChoice === "wait" && closure.pendingPence > 0) return "wait";
  return closure.payableChoice === "pay-out" && closure.payablePence > 0 ? "await-payout" : "close";
}

/** Whether a payment can come of it, so that we have to know where to. */
export function needsPayee(
  { pendingChoice, payableChoice }: MoneyChoices,
  { pendingPence, payablePence }: { pendingPence: Pence; payablePence: Pence },
): boolean {
  if (payableChoice === "give-up") return false;
  return payablePence > 0 || (pendingChoice === "wait" && pendingPence > 0);
}

/** Who is paid, as a bank in the UK wants it. */
export interface Payee {
  name: string;
  /** Six digits. */
  sortCode: string;
  /** Eight digits. */
  accountNumber: string;
}

/** Reads bank details as they were typed: spaces and dashes are welcome. What only the bank knows (whether there is such an account) is not asked. */
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
    errors["account_number"] = "An account number has eight digits. If yours is shorter, put noughts in front.";
  if (sortCode === null || accountNumber === null || Object.keys(errors).length > 0) return { value: null, errors };
  return { value: { name, sortCode, accountNumber }, errors: null };
}

/** As banks print it: 20-00-00. */
export function sortCodeInPairs(sortCode: string): string {
  return sortCode.replace(/^(..)(..)(..)$/, "$1-$2-$3");
}

function digitsOf(text: string): string | null {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, "");
  return /^[0-9]*$/.test(digits) ? digits : null;
}
