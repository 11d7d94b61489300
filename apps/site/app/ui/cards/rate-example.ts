import type { RateView } from "@farthing/core/catalogue/catalogue-view.ts";
import { countedPence, priceFor } from "@farthing/core/catalogue/rate-card.ts";
import { cashbackOn, rateValue } from "@farthing/core/catalogue/rates.ts";
import { formatPence } from "@farthing/core/money/money.ts";

/** Close to most baskets, and easy to calculate with. */
const EXAMPLE_PENCE = 50_00;

/**
 * Returns a rate as a sum that a person can check before the click (O7): `£3.00 on £50.00`, of the price that they pay, as
 * in the example of the rate card (C5). A capped rate also names the purchase that reaches the cap:
 * `£2.50 on £50.00; £40.00 on £800.00 or more`.
 */
export function workedExample(rate: RateView): string {
  if (rateValue(rate) === 0) return "£0.00";
  if (rate.kind === "fixed") return `${formatPence(cashbackOn(rate, EXAMPLE_PENCE))}, whatever the price`;
  const example = `${formatPence(cashbackOn(rate, countedPence(rate, EXAMPLE_PENCE)))} on ${formatPence(EXAMPLE_PENCE)}`;
  if (rate.capPence === null) return example;
  const beyond = priceFor(rate, purchaseBeyondCap(rate.rateBp, rate.capPence));
  return `${example}; ${formatPence(rate.capPence)} on ${formatPence(beyond)} or more`;
}

/** Returns the smallest counted part of a purchase whose cashback reaches the cap, in whole pence. */
function purchaseBeyondCap(rateBp: number, capPence: number): number {
  return Math.ceil((capPence * 10_000) / rateBp);
}
