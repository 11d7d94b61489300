/** What an operator may set as a boost of a rate (C5, A2). Pure. */
import { formatPence, formatPounds, formatRate, percentOf, type Pence } from "../../money/money.ts";
import { inWords } from "../london-time.ts";
import type { Boost, RateTier } from "../rates.ts";

export interface KnownBoost extends Boost {
  id: string;
}

/** A rate tier with what its network pays, of the tier's kind; null: the network does not say. */
export interface BoostableTier extends RateTier {
  networkRateBp: number | null;
  networkRatePence: number | null;
  boosts: readonly KnownBoost[];
}

/** A boost as it is wanted. `value` is basis points or pence, as the tier's kind. */
export interface BoostTerms {
  value: number;
  startsAt: Date;
  endsAt: Date;
}

/** What is wrong, by field: words that continue the field's label, or a sentence. */
export type BoostFaults = Partial<Record<"rate" | "startsAt" | "endsAt", string>>;

/** A form takes time to fill in: a start that passed meanwhile means now. */
const START_GRACE_MS = 15 * 60_000;

/** Returns when a boost starts that is to start at `typed`; null: at once. */
export function settledStart(typed: Date | null, now: Date): Date {
  if (typed === null) return now;
  const hasJustPassed = typed < now && now.getTime() - typed.getTime() <= START_GRACE_MS;
  return hasJustPassed ? now : typed;
}

/**
 * Returns what is wrong with a new boost, or with what `changes` is to become.
 * - It is above the usual rate; any other has no effect (rates.ts).
 * - It ends after its start, and in the future. It does not start in the past; one that runs keeps its start.
 * - No other boost of the tier holds at the same time. Files may have two, of which the higher one applies; but members are told one end, and after it
 *   the "usual" rate, which would be that of the other boost.
 */
export function boostFaults(
  tier: BoostableTier,
  { value, startsAt, endsAt }: BoostTerms,
  { now, changes = null }: { now: Date; changes?: KnownBoost | null },
): BoostFaults {
  const faults: BoostFaults = {};
  const usual = usualOf(tier);
  if (value <= usual)
    faults.rate = `must be above the usual rate of ${rateText(tier, usual)}: at or below it a boost has no effect`;
  const keepsStart = changes !== null && boostState(changes, now) === "running";
  if (startsAt < now && !keepsStart) faults.startsAt = "has passed. Leave it empty to start at once";
  if (endsAt <= now) faults.endsAt = "must be in the future";
  else if (endsAt <= startsAt) faults.endsAt = "must be after the start";
  // What is over is in nobody's way: files may have had two at once.
  const from = startsAt > now ? startsAt : now;
  const clash = tier.boosts.find((each) => each.id !== changes?.id && each.startsAt < endsAt && each.endsAt > from);
  if (clash)
    faults[keepsStart ? "endsAt" : "startsAt"] ??=
      `would overlap the boost ${boostText(clash)}. Only one boost of a rate holds at a time: choose other dates, or change or end that one first`;
  return faults;
}

export type BoostState = "to come" | "running" | "over";

export function boostState({ startsAt, endsAt }: Pick<Boost, "startsAt" | "endsAt">, now: Date): BoostState {
  return endsAt <= now ? "over" : startsAt <= now ? "running" : "to come";
}

/**
 * Returns what a rate costs the club of its own, above what the network pays: of a percentage on £100, of a fixed rate on each purchase. Null: nothing.
 * The books carry it as a negative share of the club (docs/ledger.md). A network that does not say what it pays counts as paying nothing.
 */
export function lossOf(tier: BoostableTier, value: number): Pence | null {
  const loss =
    tier.rateKind === "percent"
      ? percentOf(HUNDRED_POUNDS, value) - percentOf(HUNDRED_POUNDS, tier.networkRateBp ?? 0)
      : value - (tier.networkRatePence ?? 0);
  return loss > 0 ? loss : null;
}
const HUNDRED_POUNDS: Pence = 100_00;

/** Returns what a boost costs the club, in a sentence for the operator who has to say that it may. */
export function lossInWords(tier: BoostableTier, value: number, loss: Pence): string {
  const pays = networkOf(tier);
  const share = pays === null ? "an unknown share" : rateText(tier, pays);
  const per = tier.rateKind === "percent" ? "every £100 that counts" : "every purchase";
  return `The network pays ${share}, and members would get ${rateText(tier, value)}: the club loses ${formatPence(loss)} of its own money on ${per}.`;
}

/** Returns why a boost has no effect on the rate as it is now, as a clause; null: it has. The network may have raised the rate, or changed its kind. */
export function withoutEffect(tier: BoostableTier, boost: Boost): string | null {
  const value = valueOf(tier, boost);
  if (value === null) return `the rate is in ${tier.rateKind === "percent" ? "per cent" : "pounds"} now`;
  return value <= usualOf(tier) ? `the usual rate is ${rateText(tier, usualOf(tier))} now` : null;
}

/** Returns a rate of the tier's kind: `7.5%` or `£25`. */
export function rateText({ rateKind }: Pick<RateTier, "rateKind">, value: number): string {
  return rateKind === "percent" ? formatRate(value) : formatPounds(value);
}

/** Returns `of 9% from 4 Dec 2026, 18:00 to 6 Dec 2026, 23:59`. */
export function boostText(boost: Boost): string {
  const rate = boost.memberRateBp === null ? formatPounds(boost.memberRatePence ?? 0) : formatRate(boost.memberRateBp);
  return `of ${rate} from ${inWords(boost.startsAt)} to ${inWords(boost.endsAt)}`;
}

/** Returns a boost's rate where it is of the tier's kind, else null. */
export function valueOf({ rateKind }: Pick<RateTier, "rateKind">, boost: Boost): number | null {
  return rateKind === "percent" ? boost.memberRateBp : boost.memberRatePence;
}

export function usualOf(tier: RateTier): number {
  return (tier.rateKind === "percent" ? tier.memberRateBp : tier.memberRatePence) ?? 0;
}

/** Returns what the network pays, of the tier's kind; null: it does not say. */
export function networkOf(tier: BoostableTier): number | null {
  return tier.rateKind === "percent" ? tier.networkRateBp : tier.networkRatePence;
}
