import type { RateView } from "@farthing/core/catalogue/catalogue-view.ts";
import { cashbackOn, rateValue } from "@farthing/core/catalogue/rates.ts";
import { formatPence } from "@farthing/core/money/money.ts";

/** What most baskets are near; also easy to do in the head. */
const examplePence = 50_00;

/**
 * A rate as a sum a person can check, before the click (product.md O7): `£3.00 on £50.00`. Where a cap cuts it, the example is one
 * that shows the cap: `£40.00 on £1,000.00, the most for one purchase`.
 */
export function workedExample(rate: RateView): string {
  if (rateValue(rate) === 0) return "£0.00";
  if (rate.kind === "fixed") return `${formatPence(cashbackOn(rate, examplePence))}, whatever the price`;
  if (rate.capPence === null) return `${formatPence(cashbackOn(rate, examplePence))} on ${formatPence(examplePence)}`;
  const beyond = purchaseBeyondCap(rate.rateBp, rate.capPence);
  return `${formatPence(cashbackOn(rate, examplePence))} on ${formatPence(examplePence)}; ${formatPence(rate.capPence)} on ${formatPence(beyond)} or more`;
}

/** The smallest purchase, in pence, whose cashback reaches the cap. Whole numbers throughout. */
function purchaseBeyondCap(rateBp: number, capPence: number): number {
  return Math.ceil((capPence * 10_000) / rateBp);
}
