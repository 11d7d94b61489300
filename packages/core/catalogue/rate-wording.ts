/**
 * Rates in words (product.md O7). "Up to" never stands alone: it comes with the lowest tier, and a rate comes with its basis and
 * its cap, because members rightly complain of rates that turn out lower at the till.
 */
import { formatPence, formatPounds, formatRate, type Pence } from "../money/money.ts";
import type { RateView, RetailerCard } from "./catalogue-view.ts";
import { cashbackOn, rateValue } from "./rates.ts";

/** The bare amount: `6%` or `£25`. */
export function formatAmount(rate: RateView): string {
  return rate.kind === "percent" ? formatRate(rate.rateBp) : formatPounds(rate.ratePence);
}

/** `6% cashback`, `£25 cashback`; a tier that pays nothing says `No cashback`. */
export function describeRate(rate: RateView): string {
  return rateValue(rate) === 0 ? "No cashback" : `${formatAmount(rate)} cashback`;
}

/** A retailer's rates in one line: `6% cashback`, or `Up to 6%, from 2%` where tiers differ. Null where it pays none. */
export function summariseRates({ bestRate, lowestRate }: Pick<RetailerCard, "bestRate" | "lowestRate">): string | null {
  if (!bestRate) return null;
  if (!lowestRate || rateValue(lowestRate) === rateValue(bestRate)) return describeRate(bestRate);
  return `Up to ${formatAmount(bestRate)}, from ${formatAmount(lowestRate)}`;
}

/** `usually 4%` while a boost holds, else null. */
export function describeUsual(rate: RateView): string | null {
  if (!rate.boostedUntil) return null;
  return `usually ${rate.kind === "percent" ? formatRate(rate.usualBp) : formatPounds(rate.usualPence)}`;
}

/** `at most £50 a purchase`, or null without a cap. */
export function describeCap(rate: RateView): string | null {
  return rate.capPence === null ? null : `at most ${formatPounds(rate.capPence)} a purchase`;
}

/** What a round purchase would earn: `Spend £100.00, earn £6.00`. Null for a fixed rate and for one that pays nothing. */
export function describeExample(rate: RateView, spendPence: Pence = 10_000): string | null {
  if (rate.kind === "fixed" || rate.rateBp === 0) return null;
  return `Spend ${formatPence(spendPence)}, earn ${formatPence(cashbackOn(rate, spendPence))}`;
}
