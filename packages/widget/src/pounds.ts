/** Converts a message's pounds to whole pence, which are compared with the card provider's amount and shown to the payer. */
export function penceFromPounds(pounds: number): number {
  return Math.round(pounds * 100);
}

/** Returns the button's label, "Pay £12.34" (W7). It is computed from pence, so the payer sees the amount that was compared. */
export function payLabel(pence: number): string {
  return `Pay £${String(pence).padStart(3, "0").replace(/..$/, ".$&")}`;
}
