import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/** CJ's correctionReason. */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  RETURNED_MERCHANDISE: "returned",
  DUPLICATED_ORDER: "duplicate",
  INVALID_CREDIT_CARD: "not_paid",
  BAD_DEBT: "not_paid",
  BANKRUPTCY: "not_paid",
  CANT_SHIP_OR_SOLD_OUT: "out_of_stock",
  BOOKING_CANCELED: "cancelled",
  UNQUALIFIED_LEAD: "not_eligible",
  COMPLIANCE: "not_eligible",
  QUALIFIED_LEAD: "amended",
  OTHER_REASON: "not_given",
};

/** Returns the shared reason for CJ's; `not_given` for unknown ones. */
export function cjReason(code: string): DeclineReason {
  const key = code
    .trim()
    .toUpperCase()
    .replace(/[^A-Z]+/g, "_");
  return Object.hasOwn(REASONS, key) ? REASONS[key]! : "not_given";
}
