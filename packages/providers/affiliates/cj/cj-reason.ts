import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/** CJ's correctionReason. */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  INVALID_CREDIT_CARD: "card_refused",
  RETURNED_MERCHANDISE: "returned",
  DUPLICATED_ORDER: "duplicate",
  CANT_SHIP_OR_SOLD_OUT: "out_of_stock",
  UNQUALIFIED_LEAD: "unqualified",
  QUALIFIED_LEAD: "accepted_again",
  BAD_DEBT: "not_paid",
  BANKRUPTCY: "insolvent",
  COMPLIANCE: "not_eligible",
  BOOKING_CANCELED: "booking_cancelled",
  OTHER_REASON: "other",
};

/** Returns the shared reason for CJ's; `unknown_code` for one that CJ has added since. */
export function cjReason(code: string): DeclineReason {
  const key = code
    .trim()
    .toUpperCase()
    .replace(/[^A-Z]+/g, "_");
  return Object.hasOwn(REASONS, key) ? REASONS[key]! : "unknown_code";
}
