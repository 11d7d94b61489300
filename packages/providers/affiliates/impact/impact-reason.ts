import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/**
 * All values of an item's `AdjustmentReason`, as Impact's partner API (version 16) lists them, and what a member reads about a reversed purchase.
 * Values that tell a member nothing are `not_given`.
 */
export const IMPACT_REASONS = {
  OVERLIMIT_WEEKDAYCAP: "not_eligible",
  OVERLIMIT_WEEKENDCAP: "not_eligible",
  OVERLIMIT_BUDGET: "not_eligible",
  OVERLIMIT_ACTIONCAP: "not_eligible",
  OVERLIMIT_CONCURRENTCALLS: "not_eligible",
  OVERLIMIT_UNKNOWN_CALLERID: "not_eligible",
  RECALC_COMM: "not_given",
  MP_RETURN: "not_given",
  APPROVED: "not_given",
  REJECTED: "not_given",
  CONS_INFO_INVALID: "not_eligible",
  CONS_ERROR: "cancelled",
  CONS_FRAUD: "not_eligible",
  ITEM_RETURNED: "returned",
  ITEM_OUT_OF_STOCK: "out_of_stock",
  ORDER_ERROR: "cancelled",
  PUB_ACT_DISPUTE: "not_given",
  ADV_ACT_DISPUTE: "not_eligible",
  NOT_COMPLIANCE_TERMS: "not_eligible",
  MP_ACCOUNT_DEATVIATED: "not_given",
  CREDITED_DIFFERENT_MP: "other_site",
  ORDER_UPDATE: "not_given",
  OTHER: "not_given",
  TEST_ACTION: "test",
  RESET: "not_given",
} as const satisfies Record<string, DeclineReason>;

/**
 * Returns why an action was reversed, from the reasons of its items: the first that says something, in the order of the items. Unknown and absent
 * reasons are `not_given`.
 */
export function impactReason(codes: readonly (string | null)[]): DeclineReason {
  for (const code of codes) {
    const key = (code ?? "").trim().toUpperCase();
    const reason = Object.hasOwn(IMPACT_REASONS, key) ? IMPACT_REASONS[key as keyof typeof IMPACT_REASONS] : null;
    if (reason !== null && reason !== "not_given") return reason;
  }
  return "not_given";
}
