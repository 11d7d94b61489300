/** The lifecycle of a bonus (C8, docs/referrals.md), and what each state means in the ledger. Pure. */
import type { Leg } from "../ledger/rules.ts";
import { formatPence, type Pence } from "../money/money.ts";

export type BonusState = "invited" | "qualifying" | "held" | "confirmed" | "payable" | "reversed" | "expired" | "ended";

/**
 * All transitions; check_bonus_change.sql enforces the same pairs. An expired bonus comes back for a purchase that was
 * made in time and reported late, a reversed one for a purchase that is approved after all.
 */
export const BONUS_TRANSITIONS = {
  invited: ["qualifying", "held", "confirmed", "payable", "expired", "ended"],
  qualifying: ["invited", "held", "confirmed", "payable", "expired", "ended"],
  held: ["invited", "qualifying", "confirmed", "payable", "expired", "ended"],
  confirmed: ["held", "payable", "reversed", "ended"],
  payable: ["held", "confirmed", "reversed", "ended"],
  reversed: ["held", "confirmed", "payable", "ended"],
  expired: ["qualifying", "held", "confirmed", "payable", "ended"],
  ended: [],
} as const satisfies Record<BonusState, readonly BonusState[]>;

export function canGo(from: BonusState, to: BonusState): boolean {
  return (BONUS_TRANSITIONS[from] as readonly BonusState[]).includes(to);
}

/** Who a bonus is for: the friend's is the welcome bonus. */
export type BonusSide = "friend" | "inviter";
/** `refused`: by an operator. `capped`: the inviter has earned as many as a year allows. `left`: the account was closed. */
export type EndReason = "refused" | "capped" | "left";

/** Why a referral is held. Only operators read it. */
export const HOLD_REASONS = {
  same_device:
    "the same browser was used by the friend and by an inviter above, or by a friend whom one of those invited before",
  same_bank_details:
    "the same bank account was given by the friend and by an inviter above, or by a friend whom one of those invited before",
  same_address:
    "the e-mails of the friend and of an inviter above, or of a friend whom one of those invited before, go to one mailbox",
  operator: "an operator asked for a check",
} as const;
export type HoldReason = keyof typeof HOLD_REASONS;

/** How many inviters above a friend are compared with them: the inviter, who invited the inviter, and so on. */
export const CHAIN_STEPS = 10;

/** How far the best qualifying purchase has come. */
export type PurchaseStage = "none" | "tracked" | "confirmed" | "payable";

export interface BonusFacts {
  state: BonusState;
  /** The hold of the referral that counts. */
  hold: "none" | "open" | "refused";
  purchase: PurchaseStage;
  /** The friend has proved their address and their membership. */
  isFriendVerified: boolean;
  /** It was confirmed once: neither a membership that lapses nor the cap counts from then on. */
  wasEarned: boolean;
  /** A purchase made in time would have been reported by now. */
  isOver: boolean;
  /** The account of the person whom the bonus is for is closed. */
  hasLeft: boolean;
  isOverCap: boolean;
  /** The whole bonus is in the member's payable balance, or in a payout that they have asked for and no batch has: it was not withdrawn. */
  isStillThere: boolean;
}

export type BonusStep = { state: Exclude<BonusState, "ended"> } | { state: "ended"; endReason: EndReason };

/** Returns where a bonus belongs, given the facts. The same facts always give the same state. */
export function nextBonusStep(facts: BonusFacts): BonusStep {
  const { state, purchase, hold } = facts;
  if (state === "ended") return { state: "ended", endReason: "refused" };
  // Nothing becomes payable to somebody who has left.
  const isDue = purchase === "payable" || (purchase === "confirmed" && !facts.hasLeft);
  const isEarned = isDue && (facts.isFriendVerified || facts.wasEarned);
  // Money that is on its way to the bank is not taken back on a suspicion; a shop that takes the purchase back is no suspicion.
  if (state === "payable" && isEarned && (facts.hasLeft || !facts.isStillThere)) return { state };
  if (hold === "refused") return { state: "ended", endReason: "refused" };
  if (facts.hasLeft && state !== "payable" && (isEarned || state !== "reversed"))
    return { state: "ended", endReason: "left" };
  if (!isEarned) {
    if (isPosted(state) || state === "reversed") return { state: "reversed" };
    if (purchase !== "none") return { state: "qualifying" };
    return { state: facts.isOver || state === "expired" ? "expired" : "invited" };
  }
  if (hold === "open") return { state: "held" };
  if (facts.isOverCap && !facts.wasEarned) return { state: "ended", endReason: "capped" };
  return { state: purchase === "payable" ? "payable" : "confirmed" };
}

/** Returns whether the ledger holds money for a bonus in this state. */
export function isPosted(state: BonusState): boolean {
  return state === "confirmed" || state === "payable";
}

/** Returns where a bonus's money is. Held, reversed and ended bonuses have none. */
export function bonusLegs(memberId: string, { state, amountPence }: { state: BonusState; amountPence: Pence }): Leg[] {
  if (!isPosted(state)) return [];
  return [
    { account: { kind: state === "payable" ? "member_payable" : "member_confirmed", memberId }, amountPence },
    { account: { kind: "club_bonuses" }, amountPence: -amountPence },
  ];
}

/** Returns a moment of the last day on which a purchase qualifies, for its date in words. */
export function lastDayOf(qualifyUntil: Date): Date {
  return new Date(qualifyUntil.getTime() - 1);
}

/** Networks report nearly every purchase within this time; an invitation counts as expired only after it. */
export const REPORT_DAYS = 30;
/** Days before the end of the time to buy at which a friend is reminded, once. */
export const REMIND_DAYS = 7;
const DAY_MS = 86_400_000;

export function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

export interface Invitation {
  qualifyUntil: Date;
  isReminded: boolean;
  /** A bonus still waits for a purchase. */
  isWaiting: boolean;
}

export function isReportingOver({ qualifyUntil }: Pick<Invitation, "qualifyUntil">, now: Date): boolean {
  return now >= daysAfter(qualifyUntil, REPORT_DAYS);
}

export function isReminderDue({ qualifyUntil, isReminded, isWaiting }: Invitation, now: Date): boolean {
  return isWaiting && !isReminded && now >= daysAfter(qualifyUntil, -REMIND_DAYS) && now < qualifyUntil;
}

/**
 * Returns when to look at a referral next; null: when something happens to its friend or their purchases, which is all that can change one
 * after the last report of a purchase in time.
 */
export function nextLook({ qualifyUntil, isReminded, isWaiting }: Invitation, now: Date): Date | null {
  if (!isWaiting) return null;
  const reminder = daysAfter(qualifyUntil, -REMIND_DAYS);
  if (!isReminded && now < reminder) return reminder;
  const lastReport = daysAfter(qualifyUntil, REPORT_DAYS);
  return now < lastReport ? lastReport : null;
}

/** A bonus after an operator has decided. */
export interface DecidedBonus {
  side: BonusSide;
  state: BonusState;
  amountPence: Pence;
}

/** Returns what operators read after a refusal: a bonus that is payable still was withdrawn. */
export function refusalInWords(bonuses: readonly DecidedBonus[]): string {
  if (bonuses.every(({ state }) => state !== "payable")) return "Refused: the bonuses have ended.";
  const words = bonuses.map(({ side, state, amountPence }) =>
    state !== "payable"
      ? `the ${side}’s bonus has ended`
      : `the ${side}’s ${formatPence(amountPence)} was withdrawn and is not taken back`,
  );
  return `Refused: ${words.join("; ")}.`;
}
