import { minorDigits } from "@farthing/core/money/money.ts";

/** Returns an amount in a currency's minor units as text, with the currency's own decimals: 5000 JPY is "JP¥5,000". */
export function minorAmount(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  return new Intl.NumberFormat("en-GB", {
    ...{ style: "currency", currency },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  }).format(minor / 10 ** digits);
}
