/**
 * Rates in words (O7). The highest tier comes with the lowest, lowest first, and a rate with its basis and its cap: members complain of rates that
 * turn out lower at the till.
 */
import { formatPounds, formatRate } from "../money/money.ts";
import type { RateView, RetailerCard } from "./catalogue-view.ts";
import { rateValue } from "./rates.ts";

/** Returns `6%` or `£25`. */
export function formatAmount(rate: RateView): string {
  return rate.kind === "percent" ? formatRate(rate.rateBp) : formatPounds(rate.ratePence);
}

/** Returns `6% cashback` or `£25 cashback`; `No cashback` for a tier that pays nothing. */
export function describeRate(rate: RateView): string {
  return rateValue(rate) === 0 ? "No cashback" : `${formatAmount(rate)} cashback`;
}

/** Returns a retailer's rates: `6%`, or `2% to 6%` where tiers differ. Null where it pays none. */
export function formatRates(rates: { bestRate: RateView; lowestRate: RateView | null }): string;
export function formatRates(rates: Pick<RetailerCard, "bestRate" | "lowestRate">): string | null;
export function formatRates({ bestRate, lowestRate }: Pick<RetailerCard, "bestRate" | "lowestRate">): string | null {
  if (!bestRate) return null;
  if (!lowestRate || rateValue(lowestRate) === rateValue(bestRate)) return formatAmount(bestRate);
  return `${formatAmount(lowestRate)} to ${formatAmount(bestRate)}`;
}

/** Returns a retailer's rates in one line: `6% cashback`, or `2% to 6% cashback` where tiers differ. Null where it pays none. */
export function summariseRates(rates: Pick<RetailerCard, "bestRate" | "lowestRate">): string | null {
  const range = formatRates(rates);
  return range && `${range} cashback`;
}

/** Returns what is earned beside an offer: `plus 6% cashback`, or `plus 2% to 6% cashback`. Null where nothing is. */
export function plusCashback(rates: Pick<RetailerCard, "bestRate" | "lowestRate">): string | null {
  const summary = summariseRates(rates);
  return summary && `plus ${summary}`;
}

/** Returns `usually 4%` during a boost, else null. */
export function describeUsual(rate: RateView): string | null {
  if (!rate.boostedUntil) return null;
  return `usually ${rate.kind === "percent" ? formatRate(rate.usualBp) : formatPounds(rate.usualPence)}`;
}

/** Returns `at most £50 a purchase`, or null without a cap. */
export function describeCap(rate: RateView): string | null {
  return rate.capPence === null ? null : `at most ${formatPounds(rate.capPence)} a purchase`;
}
