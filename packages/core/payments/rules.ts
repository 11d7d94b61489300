/** The lifecycle of a card payment (G3), and what each state means in the ledger (docs/ledger.md). Pure. */
import type { Leg } from "../ledger/rules.ts";
import { pence, type Pence } from "../money/money.ts";
import type { FailureCode } from "./failure-codes.ts";
import type { ObservedPayment } from "./provider.ts";

/**
 * All transitions of a payment; check_payment_change.sql enforces the same pairs. A payment that the provider refuses to make goes from
 * `created` to `cancelled`. `failed` is a declined attempt: the payer may try again. A bank can return a refund, so refunded payments may
 * become paid again. Intermediate states may never be seen: news arrives in any order or not at all.
 */
export const PAYMENT_TRANSITIONS = {
  created: ["awaiting_payment", "cancelled"],
  awaiting_payment: ["processing", "paid", "partly_refunded", "refunded", "failed", "cancelled"],
  processing: ["awaiting_payment", "paid", "partly_refunded", "refunded", "failed", "cancelled"],
  failed: ["awaiting_payment", "processing", "paid", "partly_refunded", "refunded", "cancelled"],
  paid: ["partly_refunded", "refunded"],
  partly_refunded: ["paid", "refunded"],
  refunded: ["paid", "partly_refunded"],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type PaymentState = keyof typeof PAYMENT_TRANSITIONS;

export function canGo(from: PaymentState, to: PaymentState): boolean {
  return (PAYMENT_TRANSITIONS[from] as readonly PaymentState[]).includes(to);
}

/** Returns whether the money was taken; some or all of it may have been refunded since. */
export function wasTaken(state: PaymentState): boolean {
  return state === "paid" || state === "partly_refunded" || state === "refunded";
}

/** Returns our state for the provider's state of a payment. */
export function observedState({ status, amountPence, refundedPence }: ObservedPayment): PaymentState {
  if (status !== "taken") return status;
  if (refundedPence === 0) return "paid";
  return refundedPence < amountPence ? "partly_refunded" : "refunded";
}

export interface PaymentPosition {
  state: PaymentState;
  amountPence: Pence;
  refundedPence: Pence;
}

/**
 * Returns a payment's position in the ledger: held for the purchase, received through the card provider. A change posts
 * the difference between two positions, so postings sum to the position, in whatever order news arrives.
 */
export function paymentLegs({ state, amountPence, refundedPence }: PaymentPosition): Leg[] {
  if (!wasTaken(state)) return [];
  const held = pence(amountPence - refundedPence);
  return [
    { account: { kind: "payment_held" }, amountPence: held },
    { account: { kind: "card_received" }, amountPence: -held },
  ];
}

/** A payment's position, and why its last attempt failed. */
export type PaymentStanding = PaymentPosition & { failureCode?: FailureCode | null };

/** Returns whether nothing has happened between two looks. Two declines for the same reason can't be told apart. */
export function isUnchanged(from: PaymentStanding, to: PaymentStanding): boolean {
  const [before, after] = [from, to].map(({ failureCode = null }) => failureCode);
  return from.state === to.state && from.refundedPence === to.refundedPence && before === after;
}

/**
 * Returns the partner's event for a change, but for its refunds (`refundNews`). A payment that is refunded when it is first seen as taken was paid;
 * a decline after another is an event if its reason is another one.
 */
export function paymentEvent(from: PaymentStanding, to: PaymentStanding): "payment.paid" | "payment.failed" | null {
  if (wasTaken(to.state)) return wasTaken(from.state) ? null : "payment.paid";
  return !isUnchanged(from, to) && (to.state === "failed" || to.state === "cancelled") ? "payment.failed" : null;
}

/** Returns why `amountPence` can't be refunded; null if it can. */
export function refundProblem(
  payment: PaymentPosition,
  amountPence: Pence,
): "not-paid" | "more-than-left" | "not-an-amount" | null {
  if (!wasTaken(payment.state)) return "not-paid";
  if (!Number.isSafeInteger(amountPence) || amountPence <= 0) return "not-an-amount";
  return amountPence > payment.amountPence - payment.refundedPence ? "more-than-left" : null;
}
