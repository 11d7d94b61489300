import { REQUIRED_MESSAGE } from "@farthing/core/forms/rules.ts";
import { formatPence, parsePounds, type Pence } from "@farthing/core/money/money.ts";
import type { PaymentState } from "@farthing/core/payments/rules.ts";

/** The limits of the form. The server decides (core/payments/schema.ts). */
export interface PaymentLimits {
  minPence: Pence;
  maxPence: Pence;
  maxReferenceLength: number;
}

/** A price that the partner's server has fixed. */
export interface PriceOnPage {
  amountPence: Pence;
  reference: string;
  description: string | null;
}

export interface TypedPayment {
  amount: string;
  reference: string;
}

/** What is wrong with each field, in words that say what to do; null where nothing is. */
export interface FieldProblems {
  amount: string | null;
  reference: string | null;
}

/** Reads what a person typed. Returns the amount in whole pence, or what to change. */
export function readPayment(
  typed: TypedPayment,
  { minPence, maxPence, maxReferenceLength }: PaymentLimits,
): { ok: true; amountPence: Pence; reference: string } | { ok: false; problems: FieldProblems } {
  const amountPence = parsePounds(typed.amount);
  const reference = typed.reference.trim();
  const problems: FieldProblems = { amount: null, reference: null };
  if (typed.amount.trim() === "") problems.amount = REQUIRED_MESSAGE;
  else if (amountPence === null) problems.amount = "Enter an amount in pounds, like 12.34.";
  else if (amountPence < minPence || amountPence > maxPence)
    problems.amount = `Enter an amount from ${formatPence(minPence)} to ${formatPence(maxPence)}.`;
  if (reference === "") problems.reference = REQUIRED_MESSAGE;
  else if (reference.length > maxReferenceLength || /\p{Cc}/u.test(reference))
    problems.reference = `Enter one line of at most ${maxReferenceLength} characters.`;
  if (amountPence === null || problems.amount !== null || problems.reference !== null) return { ok: false, problems };
  return { ok: true, amountPence, reference };
}

/** How often the page polls after the card form has closed, before the payer can ask by hand. */
export const MAX_POLLS = 30;

/**
 * How long after the report the server has looked up an undecided payment itself (packages/core/payments/overdue-rules.ts: after
 * two minutes), so that `failed` is the card provider's word.
 */
const LOOKED_UP_MS = 5 * 60_000;

/**
 * Returns what a payment's state means to the payer after `polls` polls. Only the server confirms a success: it has it
 * from the card provider's signed webhook. The message from the page around the frame proves nothing (W3).
 *
 * `failed` alone is no answer: the server may still know only an attempt that was declined before the reported one, and
 * its notice may be minutes late. It is one where the payment `wasProcessing` after the report, and where the server has
 * looked it up since.
 */
export function progressOf(
  state: PaymentState,
  polls: number,
  { wasProcessing = false, reportedForMs = 0 } = {},
): "paid" | "declined" | "cancelled" | "waiting" | "still-waiting" {
  if (state === "paid" || state.endsWith("refunded")) return "paid";
  if (state === "cancelled") return "cancelled";
  if (state === "failed" && (wasProcessing || reportedForMs >= LOOKED_UP_MS)) return "declined";
  return polls >= MAX_POLLS ? "still-waiting" : "waiting";
}

/**
 * Returns what a payment's state means while its card form is open or has just closed: `reported` where the card provider
 * has it, though no message has said so; null where there is nothing new. A `failed` payment is an attempt that was
 * declined: the payer can make another (W8).
 */
export function formStepOf(state: PaymentState): "attempt-failed" | "reported" | null {
  if (state === "failed") return "attempt-failed";
  return state === "created" || state === "awaiting_payment" ? null : "reported";
}
