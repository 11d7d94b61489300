/**
 * What a member earns: rate tiers, boosts in a time window and caps (C5). Pure. Pages, deal links and the cashback of a purchase use the same
 * functions, so that the rate shown is the rate frozen at the click and paid.
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

/** A commission group of a retailer's programme, with the member's rate. `rateKind` says which rate is set. */
export interface RateTier {
  label: string;
  basis: string;
  rateKind: "percent" | "fixed";
  memberRateBp: BasisPoints | null;
  memberRatePence: Pence | null;
  /** The maximum that one purchase can earn. */
  capPence: Pence | null;
  boosts: readonly Boost[];
}

/**
 * Returns the rate of a tier at a moment. A boost can only raise it: a boost of the other kind, or one not above the usual rate, has no effect. Where
 * boosts overlap, the highest applies, and of equal ones the one that ends last.
 */
export function rateAt(tier: RateTier, moment: Date): RateView {
  const usual = usualRate(tier);
  const boost = effectiveBoost(tier, moment, usual);
  const rate = boost?.rate ?? usual;
  const common = { label: tier.label, basis: tier.basis, capPence: tier.capPence, boostedUntil: boost?.endsAt ?? null };
  return tier.rateKind === "percent"
    ? { ...common, kind: "percent", rateBp: rate, usualBp: usual }
    : { ...common, kind: "fixed", ratePence: rate, usualPence: usual };
}

function usualRate(tier: RateTier): number {
  return (tier.rateKind === "percent" ? tier.memberRateBp : tier.memberRatePence) ?? 0;
}

function effectiveBoost(tier: RateTier, moment: Date, usual: number): { rate: number; endsAt: Date } | null {
  let best: { rate: number; endsAt: Date } | null = null;
  for (const boost of tier.boosts) {
    const rate = tier.rateKind === "percent" ? boost.memberRateBp : boost.memberRatePence;
    if (rate === null || rate <= usual || moment < boost.startsAt || moment >= boost.endsAt) continue;
    if (!best || rate > best.rate || (rate === best.rate && boost.endsAt > best.endsAt))
      best = { rate, endsAt: boost.endsAt };
  }
  return best;
}

/** Returns basis points for a percent rate and pence for a fixed one: comparable within a kind only. */
export function rateValue(rate: RateAmount): number {
  return rate.kind === "percent" ? rate.rateBp : rate.ratePence;
}

type RateAmount = { kind: "percent"; rateBp: number } | { kind: "fixed"; ratePence: number };

/** Returns whether any of the rates pays something: a retailer can list its tiers and pay nothing for each. */
export function paysCashback(rates: readonly RateAmount[]): boolean {
  return rates.some((rate) => rateValue(rate) > 0);
}

/**
 * Returns the highest of a retailer's rates, or null where it pays none. 6 % and £25 can't be compared without knowing the basket: where a retailer
 * has both kinds, only those of the first tier that pays are compared.
 */
export function bestRate(rates: readonly RateView[]): RateView | null {
  return pick(rates, (rate, best) => rateValue(rate) > rateValue(best));
}

/** Returns the lowest rate of the same kind as `bestRate`, zero included, for "2% to 6%". Null where `bestRate` is null. */
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

/** Returns what a purchase earns in pence, rounded down and capped. `basisPence` is the part of the price that the tier's basis names. */
export function cashbackOn(rate: RateView, basisPence: Pence): Pence {
  const earned = rate.kind === "percent" ? percentOf(basisPence, rate.rateBp) : rate.ratePence;
  return rate.capPence === null ? earned : Math.min(earned, rate.capPence);
}
