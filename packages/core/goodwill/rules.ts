/** What an operator may credit a member with, and what the member reads of it (C7). Pure. */
import type { Leg } from "../ledger/rules.ts";
import type { Pence } from "../money/money.ts";

/** All transitions; check_goodwill_change.sql enforces the same pairs. */
export const GOODWILL_TRANSITIONS = {
  given: ["reversed"],
  reversed: [],
} as const satisfies Record<string, readonly string[]>;

export type GoodwillState = keyof typeof GOODWILL_TRANSITIONS;

/** Why, in words for the member. */
export const GOODWILL_REASONS = {
  our_mistake: "We made a mistake",
  missing_cashback: "In place of cashback that a retailer did not pay",
  delay: "We kept you waiting",
  thank_you: "A thank-you from us",
} as const;

export type GoodwillReason = keyof typeof GOODWILL_REASONS;

export const goodwillReasons = Object.keys(GOODWILL_REASONS) as GoodwillReason[];

export function isGoodwillReason(text: string): text is GoodwillReason {
  return Object.hasOwn(GOODWILL_REASONS, text);
}

/** What operators may credit, without what was reversed. */
export interface GoodwillLimits {
  /** To all members together in any 24 hours. */
  dayPence: Pence;
  /** To one member in any 365 days. */
  memberPence: Pence;
}

export const DAY_MS = 24 * 60 * 60_000;
export const YEAR_MS = 365 * DAY_MS;

/** Returns which limit an amount exceeds beside what was given before; null: none. */
export function goodwillProblem(
  amountPence: Pence,
  given: { toAllToday: Pence; toMemberThisYear: Pence },
  limits: GoodwillLimits,
): { limit: "day" | "member"; leftPence: Pence } | null {
  const memberLeft = limits.memberPence - given.toMemberThisYear;
  if (amountPence > memberLeft) return { limit: "member", leftPence: Math.max(0, memberLeft) };
  const dayLeft = limits.dayPence - given.toAllToday;
  return amountPence > dayLeft ? { limit: "day", leftPence: Math.max(0, dayLeft) } : null;
}

/** Returns the position of a credit in the ledger: the club's money, the member's to withdraw. */
export function goodwillLegs(credit: { state: GoodwillState; memberId: string; amountPence: Pence }): Leg[] {
  const { state, memberId, amountPence } = credit;
  if (state !== "given") return [];
  return [
    { account: { kind: "member_payable", memberId }, amountPence },
    { account: { kind: "club_goodwill" }, amountPence: -amountPence },
  ];
}
