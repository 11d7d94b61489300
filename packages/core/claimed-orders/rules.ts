/** How a reported sale is matched with the claim that names its order (C7). Pure. */

/** Days that a reported sale may lie from the day that the claim names: time zones, and orders that are sent later. */
export const SAME_PURCHASE_DAYS = 3;

/** Days for which evidence is kept after the end of a claim. */
export const KEEP_EVIDENCE_DAYS = 14;

/** Returns an order number in plain characters: its dashes as -, its spaces as one of ASCII, nothing unseen. */
export function readOrder(order: string): string {
  return order
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/\p{Zs}/gu, " ")
    .trim();
}

/** What order numbers are compared by. The claims' generated column has the same: a claim's order number is in plain characters. */
export function orderKey(order: string): string {
  return readOrder(order).replace(/^#+/, "").toUpperCase();
}
