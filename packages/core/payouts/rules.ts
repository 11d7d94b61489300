/** The lifecycle of a payout (C6, docs/payouts.md), and what each state means in the ledger. Pure. */
import type { Leg } from "../ledger/rules.ts";
import type { Pence } from "../money/money.ts";

export type PayoutState = "requested" | "processing" | "paid" | "failed" | "returned";

/**
 * All transitions; check_payout_change.sql enforces the same pairs. A failed or returned payout is over: its money is
 * payable again, and a new payout can be asked for. Back to "requested" leads only the rejection or cancellation of a batch.
 */
export const PAYOUT_TRANSITIONS = {
  requested: ["processing", "failed"],
  processing: ["requested", "paid", "failed"],
  paid: ["returned"],
  failed: [],
  returned: [],
} as const satisfies Record<PayoutState, readonly PayoutState[]>;

export function canGo(from: PayoutState, to: PayoutState): boolean {
  return (PAYOUT_TRANSITIONS[from] as readonly PayoutState[]).includes(to);
}

/** How a member is paid: in a batch for the bank (provider.ts), or with a gift card (gift-cards/take-cashback.server.ts). */
export const payoutMethods = ["bank", "gift-card"] as const;
export type PayoutMethodName = (typeof payoutMethods)[number];

/**
 * Why a payout failed or came back, whether the account can't be paid to at all, and whether all of its money is in the balance again: what
 * was taken back or is held is not. `text` is for the member.
 */
export const PAYOUT_REASONS = {
  cancelled: { text: "You cancelled it.", endsDetails: false, isWhole: true },
  balance_fell: {
    text: "Part of the money was taken back before we had paid you.",
    endsDetails: false,
    isWhole: false,
  },
  bonus_held: {
    text: "A bonus that was part of it has to be checked first.",
    endsDetails: false,
    isWhole: false,
  },
  operator: { text: "We stopped it. Write to us if you don’t know why.", endsDetails: false, isWhole: true },
  no_account: {
    text: "The bank found no such account. Check the sort code and account number.",
    endsDetails: true,
    isWhole: true,
  },
  account_closed: { text: "The account is closed. Give us another one.", endsDetails: true, isWhole: true },
  account_moved: {
    text: "The account has moved to another bank. Give us its new details.",
    endsDetails: true,
    isWhole: true,
  },
  payee_deceased: { text: "The bank could not pay into this account.", endsDetails: true, isWhole: true },
  recalled: { text: "The payment was called back before it reached you.", endsDetails: false, isWhole: true },
  refused: { text: "The bank refused the payment and gave no reason that we know.", endsDetails: false, isWhole: true },
  no_card: { text: "The gift card could not be made.", endsDetails: false, isWhole: true },
  card_taken_back: { text: "The gift card was taken back.", endsDetails: false, isWhole: true },
} as const;

export type PayoutReason = keyof typeof PAYOUT_REASONS;

export function isPayoutReason(text: string): text is PayoutReason {
  return Object.hasOwn(PAYOUT_REASONS, text);
}

/** Returns where a payout's money is: out of what is payable while it is under way, and nowhere once it is over. */
export function inTransitLegs(memberId: string, amountPence: Pence): Leg[] {
  return [
    { account: { kind: "member_payable", memberId }, amountPence: -amountPence },
    { account: { kind: "member_in_transit", memberId }, amountPence },
  ];
}

/** Why a payout can't be paid now. `ends`: its money is needed elsewhere, so it fails; otherwise it waits. `because` is for operators. */
export interface PayoutObstacle {
  because: string;
  ends: boolean;
}

/**
 * Returns the first obstacle of a payout (C6), or null. The same order holds where a batch is made and where it is approved: a payout whose member owes
 * the club ends even while the member is on hold, because keeping it would keep the balance below zero.
 * @param hold the reason of the member's hold; null: none
 * @param detailsFault what is wrong with the bank details; null: nothing
 */
export function payoutObstacle({
  payablePence,
  hold,
  detailsFault,
}: {
  payablePence: Pence;
  hold: string | null;
  detailsFault: string | null;
}): PayoutObstacle | null {
  if (payablePence < 0)
    return {
      because: "A shop took money back since: the payout was ended, and what is left is the member's.",
      ends: true,
    };
  if (hold !== null) return { because: `On hold: ${hold}`, ends: false };
  return detailsFault === null ? null : { because: detailsFault, ends: false };
}

/** The letters of bank references: none that look alike. */
const REFERENCE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns what the bank's files name a payment by: FP and ten random letters. */
export function bankReference(random: Uint8Array): string {
  return `FP${[...random.subarray(0, 10)].map((byte) => REFERENCE_LETTERS[byte % REFERENCE_LETTERS.length]).join("")}`;
}

/** Days for which the details of a payment are kept after it left, in case the bank returns it. */
export const KEEP_PAYEE_DAYS = 30;
