/** Converts a message's pounds to whole pence, which are compared with the card provider's amount and shown to the payer. */
export function penceFromPounds(pounds: number): number {
  return Math.round(pounds * 100);
}

/**
 * Returns the button's label: in English "Pay £12.34", as specified (W7), and in other languages the amount as they write it. It is computed from
 * pence, so the payer sees the amount that was compared.
 */
export function payLabel(pence: number, { lang, pay }: { lang: string; pay: string }): string {
  const amount =
    lang === "en"
      ? `£${String(pence).padStart(3, "0").replace(/..$/, ".$&")}`
      : (pence / 100).toLocaleString(lang, { style: "currency", currency: "GBP", currencyDisplay: "narrowSymbol" });
  return pay.replace("{}", () => amount);
}
