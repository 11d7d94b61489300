/** The life of a card payment (product.md W, G3) and what each stage of it means in the ledger (docs/ledger.md). Pure. */
import type { Leg } from "../ledger/rules.ts";
import { pence, type Pence } from "../money/money.ts";
import type { ObservedPayment } from "./provider.ts";

/**
 * Every step a payment can take; migration 0023 enforces the same pairs. `failed` is a try that was declined: the payer may try again. A refund
 * can come back from the bank, so refunded ones may become paid again. Steps in between may never be seen: news comes in any order or not at all.
 */
export const PAYMENT_TRANSITIONS = {
  created: ["awaiting_payment"],
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

/** Whether the money was taken; some or all of it may have gone back since. */
export function wasTaken(state: PaymentState): boolean {
  return state === "paid" || state === "partly_refunded" || state === "refunded";
}

/** The state that the provider's word on a payment amounts to. */
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
 * Where a payment's money stands: held for what was paid for, received by way of the card provider. A change of the payment posts the difference
 * between two positions, so whatever order news came in, its postings sum to its position.
 */
export function paymentLegs({ state, amountPence, refundedPence }: PaymentPosition): Leg[] {
  if (!wasTaken(state)) return [];
  const held = pence(amountPence - refundedPence);
  return [
    { account: { kind: "payment_held" }, amountPence: held },
    { account: { kind: "card_received" }, amountPence: -held },
  ];
}

/** What a change is told to the partner as; null: it isn't. */
export function eventOf(
  from: PaymentPosition,
  to: PaymentPosition,
): "payment.paid" | "payment.failed" | "payment.refunded" | null {
  if (to.refundedPence > from.refundedPence) return "payment.refunded";
  if (to.state === "paid" && !wasTaken(from.state)) return "payment.paid";
  return to.state !== from.state && (to.state === "failed" || to.state === "cancelled") ? "payment.failed" : null;
}

/** What stands against giving back `amountPence`; null: nothing. */
export function refundProblem(
  payment: PaymentPosition,
  amountPence: Pence,
): "not-paid" | "more-than-left" | "not-an-amount" | null {
  if (!wasTaken(payment.state)) return "not-paid";
  if (!Number.isSafeInteger(amountPence) || amountPence <= 0) return "not-an-amount";
  return amountPence > payment.amountPence - payment.refundedPence ? "more-than-left" : null;
}
