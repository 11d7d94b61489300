import { formatPence, parsePounds, type Pence } from "@farthing/core/money/money.ts";
import type { PaymentState } from "@farthing/core/payments/rules.ts";

/** What the form may ask for; the server has the last word (core/payments/schema.ts). */
export interface PaymentLimits {
  smallestPence: Pence;
  largestPence: Pence;
  longestReference: number;
}

export interface TypedPayment {
  amount: string;
  reference: string;
}

/** What is wrong with each field, in words that say what to do; null: nothing. */
export interface FieldProblems {
  amount: string | null;
  reference: string | null;
}

/** Reads what a person typed: an amount in whole pence, or what to change. */
export function readPayment(
  typed: TypedPayment,
  { smallestPence, largestPence, longestReference }: PaymentLimits,
): { ok: true; amountPence: Pence; reference: string } | { ok: false; problems: FieldProblems } {
  const amountPence = parsePounds(typed.amount);
  const reference = typed.reference.trim();
  const problems: FieldProblems = { amount: null, reference: null };
  if (amountPence === null) problems.amount = "Enter an amount in pounds, like 12.34.";
  else if (amountPence < smallestPence || amountPence > largestPence)
    problems.amount = `Enter an amount from ${formatPence(smallestPence)} to ${formatPence(largestPence)}.`;
  if (reference === "") problems.reference = "Enter what the payment is for, such as an order number.";
  else if (reference.length > longestReference || /\p{Cc}/u.test(reference))
    problems.reference = `Enter one line of at most ${longestReference} characters.`;
  if (amountPence === null || problems.amount !== null || problems.reference !== null) return { ok: false, problems };
  return { ok: true, amountPence, reference };
}

/** How often the page asks, once the card form has closed, before it lets the payer ask. */
export const MOST_LOOKS = 30;

/** A declined try before the one that went through may be what the server knows of yet. */
const LOOKS_BEFORE_DECLINED = 10;

/**
 * What a payment's state means to the payer after `looks` looks at it. Only the server's word that it was paid is a success: the server has it from the
 * card provider's signed webhook, and the message from the page around us is no proof (product.md W).
 */
export function progressOf(
  state: PaymentState,
  looks: number,
): "paid" | "declined" | "cancelled" | "waiting" | "still-waiting" {
  if (state === "paid" || state === "partly_refunded" || state === "refunded") return "paid";
  if (state === "cancelled") return "cancelled";
  if (state === "failed" && looks >= LOOKS_BEFORE_DECLINED) return "declined";
  return looks >= MOST_LOOKS ? "still-waiting" : "waiting";
}
