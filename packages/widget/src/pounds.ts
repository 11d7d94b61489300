/** Pounds as the wire carries them, in whole pence: what is compared with the card provider's amount and shown to the payer. */
export function penceFromPounds(pounds: number): number {
  return Math.round(pounds * 100);
}

/** The button's label, "Pay £12.34": two decimals, always from whole pence, so what is shown is what was compared (W7). */
export function payLabel(pence: number): string {
  return `Pay £${String(pence).padStart(3, "0").replace(/..$/, ".$&")}`;
}
