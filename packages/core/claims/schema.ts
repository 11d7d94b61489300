/** Forms of claims (C7). */
import { readOrder } from "../claimed-orders/rules.ts";
import { readTypedDate, REQUIRED_MESSAGE, type FieldErrors } from "../forms/rules.ts";
import { parsePounds } from "../money/money.ts";
import { londonDate } from "../registration/rules.ts";
import type { Typed } from "../registration/read-registration.ts";
import { MAX_TYPED_ORDER, MAX_WORDS, ORDER_PATTERN } from "./form-limits.ts";
import { dayFault } from "./rules.ts";

export interface ClaimForm {
  orderReference: string;
  /** `2026-11-05` */
  purchasedOn: string;
  salePence: number;
  /** What the member says is wrong; null: nothing. */
  words: string | null;
}

/** A claim's values as its form shows them again. */
export type TypedClaim = Record<"order_number" | "purchased_on" | "amount" | "words", string>;

const MAX_PENCE = 10_000_000;
const order = new RegExp(`^${ORDER_PATTERN}$`);

/**
 * Returns the order number that a claim about a purchase keeps, from the one that its network reported; null where it reported none that
 * a claim can have, so that the member types it.
 */
export function reportedOrder(reported: string | null): string | null {
  const plain = readOrder(reported ?? "")
    .slice(0, 60)
    .trim();
  return order.test(plain) ? plain : null;
}

export function typedClaim(typed: Typed): TypedClaim {
  return {
    order_number: typed("order_number").slice(0, MAX_TYPED_ORDER),
    purchased_on: typed("purchased_on").slice(0, 20),
    amount: typed("amount").slice(0, 20),
    words: typed("words"),
  };
}

/** Reads what a member says of a purchase that followed a click. */
export function readClaim(
  values: TypedClaim,
  { clickedAt, now }: { clickedAt: Date; now: Date },
): { value: ClaimForm; errors: null } | { value: null; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const orderReference = readOrder(values.order_number);
  if (orderReference === "") errors["order_number"] = REQUIRED_MESSAGE;
  else if (!order.test(orderReference))
    errors["order_number"] = "Use the letters, digits and signs of the order number, at most 60.";

  const purchasedOn = readTypedDate(values.purchased_on, now);
  const fault = purchasedOn && dayFault(purchasedOn, londonDate(clickedAt), londonDate(now));
  if (values.purchased_on === "") errors["purchased_on"] = REQUIRED_MESSAGE;
  else if (!purchasedOn) errors["purchased_on"] = "Enter a day, month and year, like 05-11-26.";
  else if (fault) errors["purchased_on"] = dayWords[fault];

  const salePence = parsePounds(values.amount.replace(/^£\s*/, ""));
  if (values.amount === "") errors["amount"] = REQUIRED_MESSAGE;
  else if (salePence === null || salePence < 1 || salePence > MAX_PENCE)
    errors["amount"] = "Enter what you paid in pounds, like 24.99.";
  const words = values.words;
  if (words.length > MAX_WORDS) errors["words"] = `Use at most ${MAX_WORDS} letters.`;

  if (purchasedOn === null || salePence === null || Object.keys(errors).length > 0) return { value: null, errors };
  return { value: { orderReference, purchasedOn, salePence, words: words || null }, errors: null };
}

const dayWords = {
  future: "This day is still to come. Check the date.",
  early: "This is before the visit. Choose the visit that you bought after, or check the date.",
  late: "This is more than 30 days after the visit. Choose a later visit, or check the date.",
};
