/** The lifecycle of a claim (C7, docs/claims.md), when one can be filed, and about what. Pure. */
import type { CashbackState } from "../cashback/cashback-view.ts";
import { cashbackOn, rateValue } from "../catalogue/rates.ts";
import type { FrozenRate, RateSnapshot } from "../clicks/rate-snapshot.ts";
import { DECISION_FACTS, type DeclineReason } from "../networks/decline-reason.ts";
import type { NetworkClaimKind, NetworkClaimState } from "../networks/claim-filer.ts";

export type ClaimKind = NetworkClaimKind;

export type ClaimState =
  /** Told too early: it opens by itself if nothing tracks by then. */
  | "waiting"
  /** The member has to add something: the evidence, or what the retailer asks for. */
  | "incomplete"
  /** Complete, and not with the network yet. */
  | "open"
  /** With the network, and not answered. */
  | "filed"
  /** The retailer agrees. The money comes with the network's report. */
  | "accepted"
  /** The report has the purchase, and it counts. */
  | "credited"
  | "declined"
  /** The retailer declined it, and we have credited the member ourselves. */
  | "goodwill"
  | "withdrawn"
  /** Nobody added what was missing. */
  | "expired";

/** All transitions; check_claim_change.sql enforces the same pairs. An appeal takes a declined claim back to open. */
export const CLAIM_TRANSITIONS = {
  waiting: ["open", "incomplete", "credited", "withdrawn"],
  incomplete: ["open", "filed", "accepted", "declined", "credited", "withdrawn", "expired"],
  open: ["filed", "incomplete", "accepted", "declined", "credited", "withdrawn"],
  filed: ["incomplete", "accepted", "declined", "credited"],
  accepted: ["credited", "declined"],
  credited: [],
  declined: ["open", "credited", "goodwill"],
  goodwill: ["declined"],
  withdrawn: [],
  expired: [],
} as const satisfies Record<ClaimState, readonly ClaimState[]>;

export const claimStates = Object.keys(CLAIM_TRANSITIONS) as ClaimState[];

export function canGo(from: ClaimState, to: ClaimState): boolean {
  return (CLAIM_TRANSITIONS[from] as readonly ClaimState[]).includes(to);
}

/** States in which a claim is under way. */
export const LIVE_STATES = ["waiting", "incomplete", "open", "filed", "accepted"] as const satisfies ClaimState[];

export function isLive(state: ClaimState): boolean {
  return (LIVE_STATES as readonly ClaimState[]).includes(state);
}

const DAY_MS = 86_400_000;
export const addDays = (moment: Date, days: number) => new Date(moment.getTime() + days * DAY_MS);

/** What holds at a retailer. `opensAfterDays` null: what is usual there. */
export interface ClaimRule {
  opensAfterDays: number | null;
  closesAfterDays: number;
  needsEvidence: boolean;
}

/** What holds at a retailer without a rule of its own. */
export const DEFAULT_RULE: ClaimRule = { opensAfterDays: null, closesAfterDays: 90, needsEvidence: false };

/** Days after a decline in which it can be appealed. */
export const APPEAL_DAYS = 30;
/** Days in which a member can add what is missing. */
export const COMPLETE_DAYS = 30;
/** Days without an answer after which a filed claim is late. */
export const ANSWER_DAYS = 45;
/** Days after which an accepted claim whose sale the report never listed needs a person. */
export const SALE_DAYS = 120;
/** Claims under way that a member can have. */
export const MAX_LIVE_CLAIMS = 20;
/** Files that can be added to a new claim, and again each time that its member is asked for more. */
const MAX_FILES = 5;
/** Files that a claim can have in all. */
const MAX_FILES_IN_ALL = 20;
/** A claim is filed once, and once more for an appeal. */
export const MAX_FILINGS = 2;
/** Days after a visit in which a purchase can have come through it. */
const BOUGHT_WITHIN_DAYS = 30;
/** Purchases behind a retailer's own measure of how long tracking takes. */
export const MIN_SAMPLE = 5;

/** How long purchases take to show at a retailer. */
export interface UsualTime {
  /** Days in which 95 of 100 do; null: fewer than MIN_SAMPLE were measured. */
  p95Days: number | null;
  /** Days that the retailer's page promises at most. */
  promisedDays: number;
}

/** Returns the days after a visit from which a claim about it can be filed; there is always a day in which it can. */
export function firstDay({ opensAfterDays, closesAfterDays }: ClaimRule, { p95Days, promisedDays }: UsualTime): number {
  return Math.min(opensAfterDays ?? p95Days ?? promisedDays, closesAfterDays - 1);
}

/** Returns what holds at a retailer in words, for operators. */
export function ruleWords(rule: ClaimRule, usual: UsualTime): string {
  const inDays = (count: number) => `${count} ${count === 1 ? "day" : "days"}`;
  const { p95Days, promisedDays } = usual;
  const time =
    p95Days === null
      ? `the usual time is what the retailer’s page promises: ${inDays(promisedDays)}`
      : `the usual time is what 95 of 100 purchases take: ${inDays(p95Days)}`;
  const evidence = rule.needsEvidence ? "A claim needs evidence" : "A claim needs no evidence";
  return `Claims can be filed from day ${firstDay(rule, usual)} to day ${rule.closesAfterDays} after a visit; ${time}. ${evidence}.`;
}

export interface ClaimWindow {
  opensAt: Date;
  closesAt: Date;
}

/**
 * Returns when a claim about a purchase that never tracked can be filed. It opens when 95 of 100 purchases at the retailer show,
 * as measured (`p95Days`), else when the retailer's page promised it.
 */
export function untrackedWindow({
  clickedAt,
  rule,
  p95Days,
  tracking,
}: {
  clickedAt: Date;
  rule: ClaimRule;
  p95Days: number | null;
  tracking: RateSnapshot["tracking"];
}): ClaimWindow {
  const after = firstDay(rule, { p95Days, promisedDays: tracking.tracksWithinDays.max });
  return { opensAt: addDays(clickedAt, after), closesAt: addDays(clickedAt, rule.closesAfterDays) };
}

/** Returns when a claim about a purchase that has the wrong amount, or was declined, can be filed. */
export function purchaseWindow(
  kind: Exclude<ClaimKind, "untracked">,
  { trackedAt, declinedAt, rule }: { trackedAt: Date; declinedAt: Date | null; rule: ClaimRule },
): ClaimWindow {
  if (kind === "declined" && declinedAt) return { opensAt: declinedAt, closesAt: addDays(declinedAt, APPEAL_DAYS) };
  return { opensAt: trackedAt, closesAt: addDays(trackedAt, rule.closesAfterDays) };
}

export type WindowPlace = "early" | "open" | "late";

export function placeIn({ opensAt, closesAt }: ClaimWindow, now: Date): WindowPlace {
  return now < opensAt ? "early" : now < closesAt ? "open" : "late";
}

/** Returns what can be said against a purchase as it stands; null: nothing that a retailer could look at again. */
export function purchaseKind(
  state: CashbackState,
  reason: DeclineReason | null,
): Exclude<ClaimKind, "untracked"> | null {
  if (state === "tracked" || state === "confirmed") return "incorrect";
  if (state !== "declined") return null;
  return DECISION_FACTS[reason ?? "not_given"].appeal === null ? null : "declined";
}

/** Returns until when a declined claim can be appealed; null: it cannot. */
export function appealableUntil({
  state,
  decidedAt,
  filings,
  reason,
}: {
  state: ClaimState;
  decidedAt: Date | null;
  filings: number;
  reason: DeclineReason | null;
}): Date | null {
  if (state !== "declined" || !decidedAt || filings >= MAX_FILINGS) return null;
  return DECISION_FACTS[reason ?? "not_given"].appeal === null ? null : addDays(decidedAt, APPEAL_DAYS);
}

/** Members can take back what is not with the retailer yet. */
export function canWithdraw({ state, filings }: { state: ClaimState; filings: number }): boolean {
  return canGo(state, "withdrawn") && filings === 0;
}

/** States in which a member is told what is missing, or what would help an appeal. */
export const ASKING_STATES = ["incomplete", "declined"] as const satisfies ClaimState[];

/**
 * Returns whether a claim under way takes one more file.
 * @param receivedAt when each of its files came
 * @param askedAt when its member was last asked for more; null: never
 */
export function takesFile(receivedAt: readonly Date[], askedAt: Date | null): boolean {
  const counted = askedAt ? receivedAt.filter((at) => at >= askedAt) : receivedAt;
  return counted.length < MAX_FILES && receivedAt.length < MAX_FILES_IN_ALL;
}

/** Returns the state of a new or appealed claim. */
export function firstState(at: { place: "early" | "open"; needsEvidence: boolean; files: number }): ClaimState {
  if (at.place === "early") return "waiting";
  return at.needsEvidence && at.files === 0 ? "incomplete" : "open";
}

/** Returns the state that a network's answer leads to; null: nothing has changed. */
export function stateAfterAnswer(
  current: { state: ClaimState; asked: string | null },
  answer: { state: NetworkClaimState; answer: string | null },
): ClaimState | null {
  if (answer.state === "open") return current.state === "filed" ? null : "filed";
  if (answer.state !== "incomplete") return answer.state;
  // What the retailer asks for and the member has answered is not asked again.
  const isNews = current.state !== "incomplete" && (answer.answer ?? ASKED_BY_RETAILER) !== current.asked;
  return isNews ? "incomplete" : current.state === "filed" || current.state === "incomplete" ? null : "filed";
}

/** What a member reads where the retailer asks for more and does not say what. */
export const ASKED_BY_RETAILER =
  "The retailer asks for more before it decides. Add the order confirmation or the invoice.";

/** Returns when a filed claim is asked about again: soon after it was filed, then ever less often, at most every 12 hours. */
export function nextAsk(filedAt: Date, now: Date): Date {
  const age = Math.max(0, now.getTime() - filedAt.getTime());
  return new Date(now.getTime() + Math.min(Math.max(age / 4, 20_000), 12 * 3_600_000));
}

/** Returns why a purchase cannot have been made on a day (`2026-11-05`, London's); null: it can. */
export function dayFault(day: string, clickedOn: string, today: string): "early" | "late" | "future" | null {
  if (day > today) return "future";
  if (day < clickedOn) return "early";
  const last = addDays(new Date(`${clickedOn}T12:00:00Z`), BOUGHT_WITHIN_DAYS)
    .toISOString()
    .slice(0, 10);
  return day > last ? "late" : null;
}

/** Returns when a purchase of that day was made, as far as it is known: at noon, after the click, and not in the future. */
export function purchasedAt(day: string, clickedAt: Date, now: Date): Date {
  const noon = new Date(`${day}T12:00:00Z`);
  return new Date(Math.min(Math.max(noon.getTime(), clickedAt.getTime() + 60_000), now.getTime()));
}

/** What a sale should earn by the rates of the click. */
export interface ExpectedAmounts {
  cashbackPence: number;
  /** Null: the rates don't tell what the network pays. */
  commissionPence: number | null;
}

/**
 * Returns the cashback and the commission that a sale should earn by the first rate of the click that pays; null: none does. The cashback is what was
 * promised. Boosts and caps are the club's own, so the commission is worked out from the usual rate.
 */
export function expectedAmounts({ rates, memberShareBp }: RateSnapshot, salePence: number): ExpectedAmounts | null {
  const rate = rates.find((paying) => rateValue(paying) > 0);
  if (!rate) return null;
  return {
    cashbackPence: cashbackOn({ ...rate, boostedUntil: null }, salePence),
    commissionPence: usualCommission(rate, { memberShareBp, salePence }),
  };
}

function usualCommission(
  rate: FrozenRate,
  { memberShareBp, salePence }: { memberShareBp: number; salePence: number },
): number | null {
  const usual = rate.kind === "percent" ? rate.usualBp : rate.usualPence;
  if (usual <= 0 || memberShareBp === 0) return null;
  const ofMember = rate.kind === "percent" ? salePence * usual : usual * 10_000;
  return Math.round(ofMember / memberShareBp);
}
