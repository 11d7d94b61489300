/** Which gift cards a balance pays for (C6). Pure. */
import type { CardAmounts } from "./issuer.ts";
import { LIMITS, priceOf, type Terms } from "./rules.ts";
import { sumPence, type Pence } from "../money/money.ts";

type Offer = Terms & { amounts: CardAmounts };

/** Returns what a member pays out of their balance for a card of this value, with its fee. */
export function costOf(offer: Terms, facePence: Pence): Pence {
  const { pricePence, feePence } = priceOf(offer, facePence, { isMember: true });
  return sumPence([pricePence, feePence]);
}

/** Returns the values that a balance pays for, within the limit of a card; null: none. */
export function choicesWithin(offer: Offer, payablePence: Pence): CardAmounts | null {
  const isWithin = (face: Pence) => face <= LIMITS.cardPence && costOf(offer, face) <= payablePence;
  const { amounts } = offer;
  if (amounts.kind === "fixed") {
    const within = amounts.amountsPence.filter(isWithin);
    return within.length > 0 ? { kind: "fixed", amountsPence: within } : null;
  }
  const { minPence, maxPence, stepPence } = amounts;
  if (!isWithin(minPence)) return null;
  // A higher value never costs less, so the highest step within the balance is found by halving.
  let [low, high] = [0, Math.floor((maxPence - minPence) / stepPence)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isWithin(minPence + middle * stepPence)) low = middle;
    else high = middle - 1;
  }
  return { kind: "range", minPence, maxPence: minPence + low * stepPence, stepPence };
}
