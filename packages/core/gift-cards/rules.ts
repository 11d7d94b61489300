/** Orders of gift cards (G4): one outcome per line, a card, a refund or a charge back. docs/gift-cards.md shows the states. Pure. */
import { retryDoubling } from "../due-work/rules.ts";
import type { Leg } from "../ledger/rules.ts";
import { pence, percentOf, sumPence, type BasisPoints, type Pence } from "../money/money.ts";
import type { CardAmounts } from "./issuer.ts";

/** All transitions of a line; check_gift_card_line_change.sql enforces the same pairs. */
export const LINE_TRANSITIONS = {
  awaiting_payment: ["held", "issuing", "refunding", "cancelled"],
  held: ["issuing", "refunding"],
  issuing: ["held", "issued", "reversing", "refunding"],
  issued: ["reversing"],
  reversing: ["issued", "refunding"],
  refunding: ["refunded", "charged_back"],
  refunded: [],
  charged_back: ["refunding"],
  cancelled: ["refunding"],
} as const satisfies Record<string, readonly string[]>;

export type LineState = keyof typeof LINE_TRANSITIONS;

/** Whether the issuer has a card for the line; check_gift_card_line_change.sql enforces the same pairs. */
export const CARD_TRANSITIONS = {
  none: ["possible"],
  possible: ["none", "issued", "reversed", "lost"],
  issued: ["reversed"],
  reversed: [],
  lost: [],
} as const satisfies Record<string, readonly string[]>;

export type CardState = keyof typeof CARD_TRANSITIONS;
export type CashbackState = "none" | "confirmed" | "payable";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What a line says while its issuer refuses it for lack of float (`last_error`). The home page counts by it. */
export const WAITS_FOR_FLOAT = "The issuer's float is too small: pay into it.";

/** How long the price and the discount of a checkout hold, and how long it can be paid. */
export const FROZEN_MS = 30 * MINUTE_MS;
/** An order that nobody began to pay ends. Far longer than a session lasts, so that no payment can still begin. */
export const UNPAID_MS = 48 * HOUR_MS;
/** A held line that nobody decided is refunded. */
export const HELD_MS = 72 * HOUR_MS;
/** A card that the issuer neither makes nor refuses is taken back. */
export const ISSUE_MS = 24 * HOUR_MS;
/** Without float the wait is ours to end, so it is shorter. */
export const FLOAT_MS = 4 * HOUR_MS;
/** After so long without an answer about a reversal the buyer is refunded, and the card is ours to chase. */
export const REVERSE_MS = 24 * HOUR_MS;
/**
 * "Never issued" counts only so long after we last asked for the card: a request may still be on its way. Longer than
 * any request lasts.
 */
export const QUIET_MS = 5 * MINUTE_MS;
/** Cashback can be withdrawn once the card can't be reversed any more. */
export const REVERSIBLE_MS = 48 * HOUR_MS;

/** After so long a wait for a paid line its buyer is written to. */
export const DELAY_MS = HOUR_MS;

/** When a line without news is looked at again: after 15 s, 30 s, 1 min …, then every 30 minutes. It is money: never given up. */
export const nextLineAttempt = retryDoubling({ firstMs: 15_000, maxMs: 30 * MINUTE_MS });

/** Maximum face value of one card, of a buyer's cards in 24 hours, and their number. */
export const LIMITS = { cardPence: 50_000, dayPence: 100_000, dayCards: 20, orderLines: 10 } as const;

export type LimitProblem = "card-too-large" | "too-much-today" | "too-many-today" | "too-many-lines";

/** Returns which limit an order exceeds; null: none. `today` is what the buyer has ordered in the last 24 hours. */
export function limitProblem(faces: readonly Pence[], today: { pence: Pence; cards: number }): LimitProblem | null {
  if (faces.length > LIMITS.orderLines) return "too-many-lines";
  if (faces.some((face) => face > LIMITS.cardPence)) return "card-too-large";
  if (today.cards + faces.length > LIMITS.dayCards) return "too-many-today";
  return today.pence + sumPence(faces) > LIMITS.dayPence ? "too-much-today" : null;
}

/** Returns whether a product has cards of this value. */
export function isOffered(amounts: CardAmounts, facePence: Pence): boolean {
  if (amounts.kind === "fixed") return amounts.amountsPence.includes(facePence);
  const { minPence, maxPence, stepPence } = amounts;
  return facePence >= minPence && facePence <= maxPence && (facePence - minPence) % stepPence === 0;
}

export interface Terms {
  issuerDiscountBp: BasisPoints;
  rewardKind: "discount" | "cashback";
  rewardBp: BasisPoints;
  feePence: Pence;
}

export interface LinePrice {
  facePence: Pence;
  /** What the buyer pays, without the fee. */
  pricePence: Pence;
  feePence: Pence;
  cashbackPence: Pence;
  /** What the issuer takes out of the float. */
  costPence: Pence;
}

/** Returns what a card of this value costs now. Cashback is for members: a visitor gets none. */
export function priceOf(terms: Terms, facePence: Pence, { isMember }: { isMember: boolean }): LinePrice {
  const reward = percentOf(facePence, terms.rewardBp);
  return {
    facePence,
    pricePence: terms.rewardKind === "discount" ? pence(facePence - reward) : facePence,
    feePence: terms.feePence,
    cashbackPence: terms.rewardKind === "cashback" && isMember ? reward : 0,
    costPence: pence(facePence - percentOf(facePence, terms.issuerDiscountBp)),
  };
}

/** Returns the buyer's share of an issuer's discount for a new product: 60 %, in steps of a quarter per cent. */
export function defaultRewardBp(issuerDiscountBp: BasisPoints): BasisPoints {
  return Math.floor((issuerDiscountBp * 0.6) / 25) * 25;
}

export type RefundReason =
  | "not-sold-any-more"
  | "price-changed"
  | "out-of-stock"
  | "denomination-unavailable"
  | "insufficient-float"
  | "refused"
  | "issuer-silent"
  | "held-too-long"
  | "paid-too-late"
  | "suspected-fraud"
  | "complaint"
  | "disputed"
  | "refunded-elsewhere"
  | "balance-fell"
  | "cancelled";

const REFUNDED_BECAUSE: Readonly<Record<RefundReason, string>> = {
  "not-sold-any-more": "The card is not sold any more.",
  "price-changed": "The price changed before your payment arrived.",
  "out-of-stock": "The card was out of stock.",
  "denomination-unavailable": "Cards of this value are not sold any more.",
  "insufficient-float": "We could not get the card in time.",
  refused: "The card could not be made.",
  "issuer-silent": "The card was not made in time.",
  "held-too-long": "We could not check the order in time.",
  "paid-too-late": "The payment arrived after the order had ended.",
  "suspected-fraud": "We could not accept the order.",
  complaint: "The card was taken back, as agreed with you.",
  disputed: "Your bank disputed the payment.",
  "refunded-elsewhere": "The payment was refunded before the card was made.",
  "balance-fell": "Part of your cashback was taken back before the card was made.",
  cancelled: "You cancelled it.",
};

/** Returns why a line was refunded, in words for its buyer. */
export function refundedBecause(reason: string | null): string {
  return Object.hasOwn(REFUNDED_BECAUSE, reason ?? "")
    ? REFUNDED_BECAUSE[reason as RefundReason]
    : "The card could not be made.";
}

/**
 * Returns why a paid line can't be issued as agreed; null: it can. Within half an hour of the checkout the frozen price
 * holds, whatever has changed; a product that is gone is gone at once.
 */
export function recheckProblem(
  line: LinePrice,
  product: Terms & { amounts: CardAmounts; isSold: boolean },
  { placedAt, now, isMember }: { placedAt: Date; now: Date; isMember: boolean },
): RefundReason | null {
  if (!product.isSold) return "not-sold-any-more";
  if (!isOffered(product.amounts, line.facePence)) return "denomination-unavailable";
  if (now.getTime() - placedAt.getTime() <= FROZEN_MS) return null;
  const today = priceOf(product, line.facePence, { isMember });
  const isWorse =
    today.pricePence + today.feePence > line.pricePence + line.feePence || today.cashbackPence < line.cashbackPence;
  return isWorse ? "price-changed" : null;
}

/** What stops the lines of a payment: its payer's bank disputes it, or somebody has refunded it beside us. */
export type Trouble = "disputed" | "refunded-elsewhere";

/** The payment of an order, as far as its lines depend on it. */
export interface PaymentTrouble {
  /** A dispute waits for a decision, an inquiry included. */
  isDisputed: boolean;
  /** The payer's bank has taken it back, in whole or in part. */
  isLost: boolean;
  amountPence: Pence;
  refundedPence: Pence;
  /** Of the lines of this order: refunded, or being refunded. */
  refundedLinesPence: Pence;
  /** With the payer's bank, or asked for by it. */
  claimedPence: Pence;
}

/** Returns why no card may be made of a payment now; null: one may. */
export function troubleOf(payment: PaymentTrouble): Trouble | null {
  if (payment.isDisputed || payment.isLost) return "disputed";
  return payment.refundedPence > payment.refundedLinesPence ? "refunded-elsewhere" : null;
}

/**
 * Returns how a line that is to be refunded ends: by a refund, by the charge back that has taken its money already, or
 * neither until the dispute is decided. A refund beside a lost dispute would pay the buyer twice.
 */
export function refundWay(payment: PaymentTrouble, paidPence: Pence): "refund" | "wait" | "charged-back" {
  if (payment.isDisputed) return "wait";
  if (!payment.isLost) return "refund";
  return paidPence <= payment.amountPence - payment.refundedPence - payment.claimedPence ? "refund" : "charged-back";
}

export type HoldReason = "payouts-on-hold" | "new-member" | "many-orders" | "high-value" | "disputed-before";

/** Returns why a paid order waits for a person; null: it does not. Stolen cards buy gift cards, fast and large. */
export function holdReason(order: {
  totalPence: Pence;
  /** Since the member registered; null: a visitor. */
  memberForMs: number | null;
  /** The buyer's paid orders within an hour, this one included. */
  ordersInHour: number;
  /** The limit of a day that the buyer's paid orders exceed, with this one; null: none. Unpaid ones were placed without it. */
  exceeds: LimitProblem | null;
  /** The buyer's bank disputes another payment of theirs, or has taken one back. */
  hasDisputed: boolean;
}): HoldReason | null {
  if (order.hasDisputed) return "disputed-before";
  if (order.ordersInHour > 4 || order.exceeds === "too-many-today") return "many-orders";
  if (order.totalPence > 75_000 || order.exceeds === "too-much-today") return "high-value";
  const isNew = order.memberForMs === null || order.memberForMs < 24 * HOUR_MS;
  return isNew && order.totalPence > 20_000 ? "new-member" : null;
}

export interface LinePosition extends LinePrice {
  state: LineState;
  cardState: CardState;
  cashbackState: CashbackState;
  memberId: string | null;
  /** It is paid with cashback, not by card. */
  isPayout: boolean;
}

/**
 * Returns a line's position in the ledger. Money of a line without a card stays in `payment_held`, where a refund takes
 * it from. A change posts the difference between two positions.
 */
export function lineLegs(line: LinePosition): Leg[] {
  const { cardState, cashbackState, memberId, facePence, pricePence, feePence, cashbackPence, costPence } = line;
  // The payout has moved the member's own money to what they were paid.
  const source = line.isPayout ? "club_card_payouts" : "payment_held";
  // The dispute has booked the whole payment as lost; this part of it was never spent on a card.
  const unspent: Leg[] =
    line.state === "charged_back"
      ? [
          { account: { kind: "payment_held" }, amountPence: -(pricePence + feePence) },
          { account: { kind: "club_dispute_losses" }, amountPence: pence(pricePence + feePence) },
        ]
      : [];
  if (cardState === "lost")
    return [
      ...unspent,
      { account: { kind: "issuer_float" }, amountPence: costPence },
      { account: { kind: "club_card_losses" }, amountPence: -costPence },
    ];
  if (cardState !== "issued") return unspent;
  const sold: Leg[] = [
    { account: { kind: source }, amountPence: -(pricePence + feePence) },
    { account: { kind: "club_card_discounts" }, amountPence: -(facePence - pricePence) },
    { account: { kind: "issuer_float" }, amountPence: costPence },
    { account: { kind: "club_card_commission" }, amountPence: facePence - costPence },
    { account: { kind: "club_card_fees" }, amountPence: feePence },
  ];
  if (cashbackState === "none" || memberId === null) return sold;
  const kind = cashbackState === "payable" ? "member_payable" : "member_confirmed";
  return [
    ...sold,
    { account: { kind: "club_card_cashback" }, amountPence: -cashbackPence },
    { account: { kind, memberId }, amountPence: cashbackPence },
  ];
}

/** Returns what a card did when nothing else was known, and whether the line may still wait: the clock decides. */
export function isOverdue(since: Date | null, ms: number, now: Date): boolean {
  return since !== null && now.getTime() - since.getTime() >= ms;
}

export type OrderProgress =
  | "awaiting-payment"
  | "held"
  | "issuing"
  | "issued"
  | "partly-issued"
  /** No card is made of it any more, and money is still to go back. */
  | "refunding"
  | "refunded"
  | "charged-back"
  | "cancelled";

/** Returns what an order is, from its lines. */
export function orderProgress(states: readonly LineState[]): OrderProgress {
  const all = (...wanted: LineState[]) => states.every((state) => wanted.includes(state));
  if (all("cancelled")) return "cancelled";
  if (all("awaiting_payment", "cancelled")) return "awaiting-payment";
  if (states.includes("held")) return "held";
  if (!all("issued", "refunded", "charged_back", "cancelled"))
    return all("reversing", "refunding", "refunded", "charged_back", "cancelled") ? "refunding" : "issuing";
  if (all("issued")) return "issued";
  if (states.includes("issued")) return "partly-issued";
  return states.includes("charged_back") ? "charged-back" : "refunded";
}
