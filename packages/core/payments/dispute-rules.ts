/** The lifecycle of a dispute of a card payment (G3), and what each state means in the ledger (docs/ledger.md). Pure. */
import type { RetrySchedule } from "../due-work/rules.ts";
import type { Leg } from "../ledger/rules.ts";
import { pence, type Pence } from "../money/money.ts";

/**
 * All transitions of a dispute; check_dispute_change.sql enforces the same pairs. An inquiry is a bank's question, which
 * withdraws no money and may become a dispute. A bank can reopen what it has decided. Intermediate states may never be
 * seen: news arrives in any order or not at all.
 */
export const DISPUTE_TRANSITIONS = {
  inquiry: ["needs_response", "under_review", "won", "lost", "closed"],
  needs_response: ["under_review", "won", "lost", "closed"],
  under_review: ["needs_response", "won", "lost", "closed"],
  won: ["needs_response", "under_review", "lost"],
  lost: ["needs_response", "under_review", "won"],
  closed: ["needs_response", "under_review", "won", "lost"],
} as const satisfies Record<string, readonly string[]>;

/** `closed`: the bank dropped its question, and never asked for the money. */
export type DisputeState = keyof typeof DISPUTE_TRANSITIONS;

export const OPEN_DISPUTE_STATES = ["inquiry", "needs_response", "under_review"] as const satisfies DisputeState[];
/** The states in which the payer's bank has the money, or asks for it: no refund may be sent beside it. */
export const CLAIMING_DISPUTE_STATES = ["needs_response", "under_review", "lost"] as const satisfies DisputeState[];

export function canDisputeGo(from: DisputeState, to: DisputeState): boolean {
  return from === to || (DISPUTE_TRANSITIONS[from] as readonly DisputeState[]).includes(to);
}

/** Returns whether a dispute waits for a decision. */
export function isOpen(state: DisputeState): boolean {
  return (OPEN_DISPUTE_STATES as readonly DisputeState[]).includes(state);
}

export interface DisputePosition {
  state: DisputeState;
  /** What the card provider has taken from our balance for it, less what it has returned. */
  withdrawnPence: Pence;
  /** What it charges for the dispute. */
  feePence: Pence;
  /** The payment bought gift cards, so that the club bears a loss; otherwise its partner does. */
  isForGiftCards: boolean;
}

/**
 * Returns a dispute's position in the ledger: withdrawn from the provider's balance, and open, or lost by the club or by
 * the partner whose payment it was. A change posts the difference between two positions.
 */
export function disputeLegs({ state, withdrawnPence, feePence, isForGiftCards }: DisputePosition): Leg[] {
  const loser = isForGiftCards ? "club_dispute_losses" : "payment_held";
  return [
    { account: { kind: "card_received" }, amountPence: pence(withdrawnPence + feePence) },
    { account: { kind: state === "lost" ? loser : "payment_disputed" }, amountPence: -withdrawnPence },
    { account: { kind: "provider_fees" }, amountPence: -feePence },
  ];
}

export type DisputeTransferKind =
  | "dispute_withdrawn"
  | "dispute_reinstated"
  | "dispute_lost"
  | "dispute_reopened"
  | "dispute_fee";

/** Returns the kind of the transfer for a change that moves money; `from` is null for a new dispute. */
export function disputeTransferKind(from: DisputePosition | null, to: DisputePosition): DisputeTransferKind {
  const before = from?.withdrawnPence ?? 0;
  if (to.state === "lost" && from?.state !== "lost" && to.withdrawnPence > 0) return "dispute_lost";
  if (to.withdrawnPence > before) return "dispute_withdrawn";
  if (to.withdrawnPence < before) return "dispute_reinstated";
  if (from?.state === "lost" && to.state !== "lost" && to.withdrawnPence > 0) return "dispute_reopened";
  return "dispute_fee";
}

/** Returns the partner's event for a change; `from` is null for a new dispute. A dispute that is over when it is first seen makes both. */
export function disputeEvents(
  from: DisputeState | null,
  to: DisputeState,
): ("payment.disputed" | "payment.dispute_closed")[] {
  const wasOpen = from !== null && isOpen(from);
  if (isOpen(to)) return wasOpen ? [] : ["payment.disputed"];
  if (wasOpen) return ["payment.dispute_closed"];
  if (from === null) return ["payment.disputed", "payment.dispute_closed"];
  return from === to ? [] : ["payment.dispute_closed"];
}

const DAY_MS = 24 * 60 * 60_000;

/** A dispute is read again each day until it is over and its money has moved: a webhook may never come. */
export const nextDisputeLook: RetrySchedule<Date> = (_lookups, now) => new Date(now.getTime() + DAY_MS);

/** Returns whether the provider has nothing more to do about a dispute. */
export function isSettled({ state, withdrawnPence }: Pick<DisputePosition, "state" | "withdrawnPence">): boolean {
  if (isOpen(state)) return false;
  return state === "lost" ? withdrawnPence > 0 : withdrawnPence === 0;
}

/** How far back disputes are listed, to find those whose webhooks never came: the provider sends them for three days. */
export const UNHEARD_MS = 8 * DAY_MS;

/** Returns the pence that may still be refunded: not refunded, and not with the payer's bank. */
export function refundablePence(payment: { amountPence: Pence; refundedPence: Pence; claimedPence: Pence }): Pence {
  return Math.max(0, pence(payment.amountPence - payment.refundedPence - payment.claimedPence));
}
