/** How a reported sale is matched with the claim that names its order (C7). Pure. */

/** Days that a reported sale may lie from the day that the claim names: time zones, and orders that are sent later. */
export const SAME_PURCHASE_DAYS = 3;

/** Days for which evidence is kept after the end of a claim. */
export const KEEP_EVIDENCE_DAYS = 14;

/** What order numbers are compared by; the claims' generated column has the same. */
export function orderKey(order: string): string {
  return order.trim().replace(/^#+/, "").toUpperCase();
}
