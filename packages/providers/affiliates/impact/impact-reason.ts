import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/**
 * All values of an item's `AdjustmentReason`, as Impact's partner API (version 16) lists them, and what a member reads about a reversed purchase.
 * Values that tell a member nothing are `not_given`.
 */
export const IMPACT_REASONS = {
  OVERLIMIT_WEEKDAYCAP: "over_limit",
  OVERLIMIT_WEEKENDCAP: "over_limit",
  OVERLIMIT_BUDGET: "over_limit",
  OVERLIMIT_ACTIONCAP: "over_limit",
  OVERLIMIT_CONCURRENTCALLS: "over_limit",
  OVERLIMIT_UNKNOWN_CALLERID: "over_limit",
  RECALC_COMM: "amended",
  MP_RETURN: "returned",
  APPROVED: "not_given",
  REJECTED: "not_given",
  CONS_INFO_INVALID: "not_eligible",
  CONS_ERROR: "mistaken_order",
  CONS_FRAUD: "suspected_fraud",
  ITEM_RETURNED: "returned",
  ITEM_OUT_OF_STOCK: "out_of_stock",
  ORDER_ERROR: "wrongly_recorded",
  PUB_ACT_DISPUTE: "disputed",
  ADV_ACT_DISPUTE: "disputed",
  NOT_COMPLIANCE_TERMS: "not_eligible",
  MP_ACCOUNT_DEATVIATED: "not_given",
  CREDITED_DIFFERENT_MP: "other_site",
  ORDER_UPDATE: "amended",
  OTHER: "other",
  TEST_ACTION: "test",
  RESET: "amended",
} as const satisfies Record<string, DeclineReason>;

/**
 * Returns why an action was reversed, from the reasons of its items. It is the first reason that says something, in the order of the items.
 * Without one it is `unknown_code` if an item has a code that Impact or the brand has added, and otherwise `not_given`.
 */
export function impactReason(codes: readonly (string | null)[]): DeclineReason {
  const reasons = codes.map(reasonOfCode);
  return (
    reasons.find((reason) => !VAGUE.has(reason)) ??
    reasons.find((reason) => reason === "other") ??
    reasons.find((reason) => reason === "unknown_code") ??
    "not_given"
  );
}

/** What says little about a purchase, and gives way to what another item says. */
const VAGUE: ReadonlySet<DeclineReason> = new Set<DeclineReason>(["not_given", "unknown_code", "other"]);

function reasonOfCode(code: string | null): DeclineReason {
  const key = (code ?? "")
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "_");
  if (key === "") return "not_given";
  return Object.hasOwn(IMPACT_REASONS, key) ? IMPACT_REASONS[key as keyof typeof IMPACT_REASONS] : "unknown_code";
}
