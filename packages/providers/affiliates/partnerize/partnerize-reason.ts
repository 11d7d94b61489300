import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/**
 * Partnerize's `reject_reason` is text that the brand writes or chooses. The first pattern that matches applies. "Duplicate" stands before "cancelled"
 * and "voucher" before "terms", because brands write "cancelled as duplicate" and "voucher not allowed under our terms".
 */
const PATTERNS: readonly [RegExp, DeclineReason][] = [
  [/\btest/i, "test"],
  [/duplicat/i, "duplicate"],
  [/out of stock|unavailable|not (in stock|dispatched|delivered|shipped)/i, "out_of_stock"],
  [/return|refund/i, "returned"],
  [/cancel|void/i, "cancelled"],
  [/voucher|coupon|promo(tional)? ?code|discount code/i, "voucher"],
  [/existing|not (a )?new customer|new customers? only|repeat customer/i, "existing_customer"],
  [/unpaid|not (been )?paid|payment (failed|declined|not)|failed payment|bad debt|credit check/i, "not_paid"],
  [
    /another (partner|publisher|affiliate|channel)|other (partner|publisher|channel)|de-?dup|attribut|last click/i,
    "other_site",
  ],
  [/terms|eligible|qualif|invalid|breach|exclu|fraud|compliance|non-?commission/i, "not_eligible"],
];

/** Returns the shared reason for a `reject_reason`; `not_given` for none and for unknown texts. */
export function partnerizeReason(text: string | null | undefined): DeclineReason {
  return PATTERNS.find(([pattern]) => pattern.test(text ?? ""))?.[1] ?? "not_given";
}
