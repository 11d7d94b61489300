import type { RateView } from "@farthing/core/catalogue/catalogue-view.ts";
import { cashbackOn, rateValue } from "@farthing/core/catalogue/rates.ts";
import { formatPence } from "@farthing/core/money/money.ts";

/** Close to most baskets, and easy to calculate with. */
const EXAMPLE_PENCE = 50_00;

/**
 * Returns a rate as a sum that a person can check before the click (O7): `£3.00 on £50.00`. A capped rate also names
 * the purchase that reaches the cap: `£2.50 on £50.00; £40.00 on £800.00 or more`.
 */
export function workedExample(rate: RateView): string {
  if (rateValue(rate) === 0) return "£0.00";
  if (rate.kind === "fixed") return `${formatPence(cashbackOn(rate, EXAMPLE_PENCE))}, whatever the price`;
  if (rate.capPence === null) return `${formatPence(cashbackOn(rate, EXAMPLE_PENCE))} on ${formatPence(EXAMPLE_PENCE)}`;
  const beyond = purchaseBeyondCap(rate.rateBp, rate.capPence);
  return `${formatPence(cashbackOn(rate, EXAMPLE_PENCE))} on ${formatPence(EXAMPLE_PENCE)}; ${formatPence(rate.capPence)} on ${formatPence(beyond)} or more`;
}

/** Returns the smallest purchase whose cashback reaches the cap, in whole pence. */
function purchaseBeyondCap(rateBp: number, capPence: number): number {
  return Math.ceil((capPence * 10_000) / rateBp);
}
