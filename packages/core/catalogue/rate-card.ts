/**
 * A rate card in words (C5): what a rate pays, on which part of the price, up to which amount, and an example in pounds that a member can check
 * at the till. Pure. Pages and receipts use the same words.
 */
import { formatPence, type Pence } from "../money/money.ts";
import type { RateView } from "./catalogue-view.ts";
import { describeCap, describeRate, describeUsual } from "./rate-wording.ts";
import { cashbackOn, rateValue } from "./rates.ts";

export interface RateCard {
  /** What you buy: the tier's label. */
  label: string;
  /** `5% cashback`, `£25 cashback` or `No cashback`. */
  pays: string;
  /** `on the price without VAT and delivery`; null where the price does not matter. */
  base: string | null;
  /** `at most £50 a purchase`; null without a cap. */
  cap: string | null;
  /** `usually 4%` during a boost; null without one. */
  usual: string | null;
  boostedUntil: Date | null;
  /** `£100.00 basket: £83.33 without VAT → £4.16`; null where there is nothing to work out. */
  example: string | null;
}

const EXAMPLE_BASKET: Pence = 100_00;
/** The standard rate of VAT in the United Kingdom, in percent (VAT Act 1994, section 2). */
const VAT_PERCENT = 20;

/** Returns the words of a rate. */
export function rateCard(rate: RateView): RateCard {
  const paysByPrice = rate.kind === "percent" && rateValue(rate) > 0;
  return {
    label: rate.label,
    pays: describeRate(rate),
    base: paysByPrice && rate.basis !== "" ? rate.basis : null,
    cap: rateValue(rate) === 0 ? null : describeCap(rate),
    usual: describeUsual(rate),
    boostedUntil: rate.boostedUntil,
    example: rateExample(rate),
  };
}

/**
 * Returns the example of a rate: a basket of £100, what is left of it by the rate's base, and the cashback, worked out as a purchase is, rounded
 * down. Null for a rate that pays nothing.
 */
export function rateExample(rate: RateView, basketPence: Pence = EXAMPLE_BASKET): string | null {
  if (rateValue(rate) === 0) return null;
  const basket = `${formatPence(basketPence)} basket`;
  if (rate.kind === "fixed") return `${basket}, like any other → ${formatPence(cashbackOn(rate, basketPence))}`;
  const basePence = countedPence(rate, basketPence);
  const base = countsWithoutVat(rate) ? `: ${formatPence(basePence)} without VAT` : "";
  return `${basket}${base} → ${formatPence(cashbackOn(rate, basePence))}`;
}

/** Returns whether a rate is of the price without VAT. */
export function countsWithoutVat({ basis }: Pick<RateView, "basis">): boolean {
  return /\bwithout\b.*\bVAT\b/i.test(basis);
}

/** Returns the part of a price that counts for a rate. */
export function countedPence(rate: Pick<RateView, "basis">, pricePence: Pence): Pence {
  return countsWithoutVat(rate) ? withoutVat(pricePence) : pricePence;
}

/** Returns the smallest price, in whole pence, of which at least `pence` counts for a rate. */
export function priceFor(rate: Pick<RateView, "basis">, pence: Pence): Pence {
  return countsWithoutVat(rate) ? Math.ceil((pence * (100 + VAT_PERCENT)) / 100) : pence;
}

/** Returns a price without the VAT that it holds, to the nearest penny. */
export function withoutVat(pence: Pence): Pence {
  return Math.round((pence * 100) / (100 + VAT_PERCENT));
}

/** How prices in another currency count (C5). */
export const FOREIGN_CURRENCY_WORDS =
  "If you pay in another currency, the amount that the shop’s network reports counts, converted to pounds at the rate of the day you bought.";
