import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/** Awin's decline reasons are texts that advertisers choose or write. The first pattern that matches applies. */
const PATTERNS: readonly [RegExp, DeclineReason][] = [
  [/\btest\b/i, "test"],
  [/duplicat|already (been )?(paid|counted|rewarded)/i, "duplicate"],
  [/out of stock|unavailable|not (in stock|dispatched|delivered|shipped)/i, "out_of_stock"],
  [/return|refund/i, "returned"],
  [/cancel/i, "cancelled"],
  [/voucher|coupon|promo(tional)? code|discount code/i, "voucher"],
  [/existing (customer|member|user)|not a new|new customers? only/i, "existing_customer"],
  [/unpaid|not (been )?paid|payment (failed|declined|not)|fail(ed)? payment|declined card|credit check/i, "not_paid"],
  [
    /another (publisher|affiliate|channel|site)|other (publisher|affiliate|channel)|de-?dup|last click|overwritten/i,
    "other_site",
  ],
  [/terms|not eligible|ineligible|does not qualify|not valid|invalid|breach|excluded|non-?commission/i, "not_eligible"],
];

/** Returns the shared reason for Awin's `declineReason`; `not_given` for none and for unknown texts. */
export function awinReason(text: string | null | undefined): DeclineReason {
  return PATTERNS.find(([pattern]) => pattern.test(text ?? ""))?.[1] ?? "not_given";
}
