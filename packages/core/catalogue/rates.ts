/**
 * What a member earns: rate tiers, boosts in a time window and caps (product.md C5). Pure; pages, click-outs and the cashback
 * of a purchase all ask here, so that what was shown is what is frozen at the click and paid.
 */
import { percentOf, type BasisPoints, type Pence } from "../money/money.ts";
import type { RateView } from "./catalogue-view.ts";

/** A higher rate from `startsAt` (inclusive) to `endsAt` (exclusive). Exactly one of the two rates is set. */
export interface Boost {
  memberRateBp: BasisPoints | null;
  memberRatePence: Pence | null;
  startsAt: Date;
  endsAt: Date;
}

/** One commission group of a retailer's programme, as the member sees it. `rateKind` says which rate is set. */
export interface RateTier {
  label: string;
  basis: string;
  rateKind: "percent" | "fixed";
  memberRateBp: BasisPoints | null;
  memberRatePence: Pence | null;
  /** The most one purchase can earn. */
  capPence: Pence | null;
  boosts: readonly Boost[];
}

/**
 * The rate of a tier at a moment. A boost only ever raises: one of the other kind, or not above the usual rate, changes nothing.
 * Where boosts overlap, the highest holds, and among equals the one that lasts longest.
 */
export function rateAt(tier: RateTier, moment: Date): RateView {
  const usual = usualRate(tier);
  const boost = holdingBoost(tier, moment, usual);
  const rate = boost?.rate ?? usual;
  const common = { label: tier.label, basis: tier.basis, capPence: tier.capPence, boostedUntil: boost?.endsAt ?? null };
  return tier.rateKind === "percent"
    ? { ...common, kind: "percent", rateBp: rate, usualBp: usual }
    : { ...common, kind: "fixed", ratePence: rate, usualPence: usual };
}

function usualRate(tier: RateTier): number {
  return (tier.rateKind === "percent" ? tier.memberRateBp : tier.memberRatePence) ?? 0;
}

function holdingBoost(tier: RateTier, moment: Date, usual: number): { rate: number; endsAt: Date } | null {
  let best: { rate: number; endsAt: Date } | null = null;
  for (const boost of tier.boosts) {
    const rate = tier.rateKind === "percent" ? boost.memberRateBp : boost.memberRatePence;
    if (rate === null || rate <= usual || moment < boost.startsAt || moment >= boost.endsAt) continue;
    if (!best || rate > best.rate || (rate === best.rate && boost.endsAt > best.endsAt))
      best = { rate, endsAt: boost.endsAt };
  }
  return best;
}

/** Basis points of a percent rate, pence of a fixed one: comparable within a kind only. */
export function rateValue(rate: RateView): number {
  return rate.kind === "percent" ? rate.rateBp : rate.ratePence;
}

/**
 * The highest of a retailer's rates, or null where it pays none. 6 % and £25 can't be compared without knowing the basket, so where
 * a retailer has both kinds, the kind it leads with (the first tier that pays) speaks for it.
 */
export function bestRate(rates: readonly RateView[]): RateView | null {
  return pick(rates, (rate, best) => rateValue(rate) > rateValue(best));
}

/** The lowest rate of the same kind as `bestRate`, nought included: "up to" is only honest beside it. Null where best is null. */
export function lowestRate(rates: readonly RateView[]): RateView | null {
  return pick(rates, (rate, lowest) => rateValue(rate) < rateValue(lowest));
}

function pick(rates: readonly RateView[], isBetter: (rate: RateView, than: RateView) => boolean): RateView | null {
  const leading = rates.find((rate) => rateValue(rate) > 0);
  if (!leading) return null;
  return rates
    .filter((rate) => rate.kind === leading.kind)
    .reduce((best, rate) => (isBetter(rate, best) ? rate : best), leading);
}

/** What a purchase earns in pence, rounded down to the penny and capped. `basisPence` is the price without VAT and delivery, as the tier's basis says. */
export function cashbackOn(rate: RateView, basisPence: Pence): Pence {
  const earned = rate.kind === "percent" ? percentOf(basisPence, rate.rateBp) : rate.ratePence;
  return rate.capPence === null ? earned : Math.min(earned, rate.capPence);
}
