/**
 * When the next step of a purchase can be expected, as a range of dates (C3): half of all purchases are there by its start, nine in ten by its
 * end. Pure. Sources, in order of weight: the day on which the network closes the sale by itself, this club's own history with the retailer,
 * what the retailer's page promised at the click, and what is usual on the network.
 */
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";

export type Awaits = "confirmation" | "payment";

/** Why a range is as it is; the member reads the sentence. */
export type ExpectationReason = "promised" | "history" | "network_date" | "confirmed" | "journey";

export interface Expectation {
  awaits: Awaits;
  /** Null: no date can be told. */
  range: { from: Date; to: Date } | null;
  reason: ExpectationReason;
}

/** How long a step took, in whole days: half within `p50Days`, nine in ten within `p90Days`. */
export interface Timing {
  sample: number;
  p50Days: number;
  p90Days: number;
}

export interface ExpectationFacts {
  state: "tracked" | "confirmed";
  purchasedAt: Date;
  confirmedAt: Date | null;
  /** As promised at the click. */
  tracking: Pick<RateSnapshot["tracking"], "confirmsWithinDays" | "confirmsAfter">;
  /** When the network closes the sale by itself; null where its report does not say. */
  locksAt: Date | null;
  networkSlug: string;
  /** Of the step that is awaited. */
  retailer: Timing | null;
  network: Timing | null;
}

type Days = Pick<Timing, "p50Days" | "p90Days">;

const CAUTIOUS_DEFAULT: Readonly<Record<Awaits, Days>> = {
  confirmation: { p50Days: 45, p90Days: 90 },
  payment: { p50Days: 30, p90Days: 60 },
};

/**
 * What is usual on a network before this club has a history of its own there. Confirmation: the validation period that programmes choose (Awin's
 * automatic validation after 30 days, at most 67; CJ locks after the 10th of the next month; Impact's default locking period). Payment: the
 * retailer has to pay the network, which pays on fixed days of the month. Networks without a published period get the cautious default.
 */
export const NETWORK_DEFAULTS: Readonly<Record<string, Readonly<Record<Awaits, Days>>>> = {
  awin: { confirmation: { p50Days: 30, p90Days: 67 }, payment: { p50Days: 20, p90Days: 60 } },
  cj: { confirmation: { p50Days: 35, p90Days: 70 }, payment: { p50Days: 20, p90Days: 45 } },
  impact: { confirmation: { p50Days: 30, p90Days: 75 }, payment: { p50Days: 20, p90Days: 45 } },
  // No period of validation is published: each brand sets its own.
  partnerize: CAUTIOUS_DEFAULT,
  // No status is reported: the calendar confirms after its hold of 60 days and pays on the next day of payment, once a month (decision 040).
  rakuten: { confirmation: { p50Days: 60, p90Days: 65 }, payment: { p50Days: 16, p90Days: 30 } },
};

function defaultOf(network: string): Readonly<Record<Awaits, Days>> {
  return Object.hasOwn(NETWORK_DEFAULTS, network) ? NETWORK_DEFAULTS[network]! : CAUTIOUS_DEFAULT;
}

/** As many purchases weigh as much as the default does: below, the default says more than chance. */
const DEFAULT_WEIGHT = 30;
/** Fewer purchases than this say nothing yet. */
const MIN_SAMPLE = 5;
/** What the network closes on a day is reported to us within this many days. */
const LOCK_GRACE_DAYS = 2;
const DAY_MS = 86_400_000;

/** Returns a history drawn towards the default: with a small sample close to the default, with a large one to the history. Whole days. */
export function shrink(history: Timing | null, usual: Days): Days {
  if (!history || history.sample < MIN_SAMPLE) return usual;
  const blend = (own: number, other: number) =>
    Math.round((own * history.sample + other * DEFAULT_WEIGHT) / (history.sample + DEFAULT_WEIGHT));
  return { p50Days: blend(history.p50Days, usual.p50Days), p90Days: blend(history.p90Days, usual.p90Days) };
}

/** Returns what to expect of a purchase that is tracked or confirmed. */
export function expectationOf(facts: ExpectationFacts): Expectation {
  const awaits: Awaits = facts.state === "tracked" ? "confirmation" : "payment";
  const usual = shrink(facts.network, defaultOf(facts.networkSlug)[awaits]);
  const hasHistory = facts.retailer !== null && facts.retailer.sample >= MIN_SAMPLE;
  if (awaits === "payment") {
    const since = facts.confirmedAt ?? facts.purchasedAt;
    return { awaits, range: rangeAfter(since, shrink(facts.retailer, usual)), reason: "confirmed" };
  }
  const { confirmsAfter, confirmsWithinDays } = facts.tracking;
  if (facts.locksAt) {
    const to = addDays(facts.locksAt, LOCK_GRACE_DAYS);
    const half = addDays(facts.purchasedAt, (hasHistory ? shrink(facts.retailer, usual) : usual).p50Days);
    return { awaits, range: { from: half < facts.locksAt ? half : facts.locksAt, to }, reason: "network_date" };
  }
  if (hasHistory)
    return { awaits, range: rangeAfter(facts.purchasedAt, shrink(facts.retailer, usual)), reason: "history" };
  // Nobody knows when a member travels: without a history there is no date to tell.
  if (confirmsAfter !== "purchase") return { awaits, range: null, reason: "journey" };
  const promised = { p50Days: confirmsWithinDays.min, p90Days: confirmsWithinDays.max };
  return { awaits, range: rangeAfter(facts.purchasedAt, promised), reason: "promised" };
}

/** A range that moves by less is not told again: members should not be written other dates every week. */
const NEWS_DAYS = 3;

/** Returns whether a member has to be told of the next expectation. */
export function isRevision(told: Expectation | null, next: Expectation): boolean {
  if (!told || told.awaits !== next.awaits) return true;
  if (!told.range || !next.range) return told.range !== next.range;
  const moved = Math.max(
    Math.abs(next.range.from.getTime() - told.range.from.getTime()),
    Math.abs(next.range.to.getTime() - told.range.to.getTime()),
  );
  return moved >= NEWS_DAYS * DAY_MS;
}

/** Returns when a purchase becomes overdue: a day after the end of its range, by when nine in ten are there. */
export function overdueFrom({ range }: Pick<Expectation, "range">): Date | null {
  return range && addDays(range.to, 1);
}

/** The sentence for each reason, as the member reads it beside the dates. */
export const EXPECTATION_WORDS: Readonly<Record<ExpectationReason, string>> = {
  promised: "This is what the retailer promised when you followed our link.",
  history: "This is how long the retailer has taken with other members’ purchases in the last year.",
  network_date: "The retailer’s network has set a day by which this is decided.",
  confirmed: "The retailer has confirmed it. This is how long it usually takes to pay us.",
  journey: "The retailer decides after your journey or stay, so there is no date yet.",
};

function rangeAfter(since: Date, { p50Days, p90Days }: Days): { from: Date; to: Date } {
  return { from: addDays(since, Math.min(p50Days, p90Days)), to: addDays(since, Math.max(p50Days, p90Days)) };
}

function addDays(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}
