import type Stripe from "stripe";
import { newDispute } from "./answers/dispute.ts";
import { move } from "./balance.ts";
import { invalidRequest, missing } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import { seconds, type Cards, type RequestNote } from "./cards.ts";
import { emit } from "./events.ts";
import { findIntent } from "./payment-intents.ts";

/** What the provider charges for a dispute, in pence. */
const DISPUTE_FEE = 2000;
/** How long evidence can be sent. */
const EVIDENCE_SECONDS = 9 * 24 * 60 * 60;

/** What can happen to a dispute, by its status. */
const moves: Readonly<Record<string, readonly DisputeMove[]>> = {
  warning_needs_response: ["respond", "close", "escalate"],
  warning_under_review: ["close", "escalate"],
  needs_response: ["respond", "win", "lose"],
  under_review: ["win", "lose"],
  won: ["lose"],
  lost: ["win"],
  warning_closed: [],
};

export const disputeMoves = ["respond", "win", "lose", "close", "escalate"] as const;
export type DisputeMove = (typeof disputeMoves)[number];

/** Opens a dispute, as the payer's bank does: an inquiry, or a dispute that withdraws the money and costs a fee. */
export function openDispute(
  cards: Cards,
  request: RequestNote,
  wanted: { intent: string; amount?: number | undefined; reason?: string | undefined; isInquiry?: boolean | undefined },
): Stripe.Dispute {
  const charge = chargeOf(cards, wanted.intent);
  const amount = wanted.amount ?? charge.amount_captured;
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > charge.amount_captured)
    throw invalidRequest(`A dispute of this charge is 1 to ${charge.amount_captured}.`, "amount");
  const created = seconds(cards);
  const dispute = newDispute({
    id: `du_3${randomText(23)}`,
    created,
    amount,
    charge,
    reason: wanted.reason ?? "fraudulent",
    status: wanted.isInquiry ? "warning_needs_response" : "needs_response",
    dueBy: created + EVIDENCE_SECONDS,
  });
  cards.store.put(dispute, { intent: wanted.intent });
  charge.disputed = true;
  cards.store.put(charge);
  emit(cards, request, "charge.dispute.created", dispute);
  if (!wanted.isInquiry) withdraw(cards, request, dispute);
  return dispute;
}

/** Takes a dispute a step further. @throws the provider's error where its status does not allow that */
export function decideDispute(cards: Cards, request: RequestNote, id: string, step: DisputeMove): Stripe.Dispute {
  const dispute = cards.store.find<Stripe.Dispute>("dispute", id);
  if (!dispute) throw missing("dispute", id, "dispute");
  if (!disputeMovesOf(dispute).includes(step))
    throw invalidRequest(`A dispute that is ${dispute.status} can't ${step}.`, "action");
  const isWithdrawn = dispute.balance_transactions.reduce((sum, one) => sum + one.amount, 0) < 0;
  switch (step) {
    case "respond":
      dispute.status = dispute.status === "warning_needs_response" ? "warning_under_review" : "under_review";
      dispute.evidence_details.has_evidence = true;
      dispute.evidence_details.submission_count += 1;
      emit(cards, request, "charge.dispute.updated", cards.store.put(dispute));
      return dispute;
    case "escalate":
      dispute.status = "needs_response";
      dispute.is_charge_refundable = false;
      emit(cards, request, "charge.dispute.updated", cards.store.put(dispute));
      return withdraw(cards, request, dispute);
    case "close":
    case "lose":
      dispute.status = step === "close" ? "warning_closed" : "lost";
      emit(cards, request, "charge.dispute.closed", cards.store.put(dispute));
      return step === "lose" && !isWithdrawn ? withdraw(cards, request, dispute) : dispute;
    case "win":
      dispute.status = "won";
      emit(cards, request, "charge.dispute.closed", cards.store.put(dispute));
      return reinstate(cards, request, dispute);
  }
}

export function disputeMovesOf({ status }: Stripe.Dispute): readonly DisputeMove[] {
  return moves[status] ?? [];
}

/** Returns the pence of a charge that a payer's bank has or asks for. */
export function claimedOf(cards: Cards, intent: string): number {
  return cards.store
    .list<Stripe.Dispute>("dispute", { intent })
    .filter(({ status }) => ["needs_response", "under_review", "lost"].includes(status))
    .reduce((sum, { amount }) => sum + amount, 0);
}

function withdraw(cards: Cards, request: RequestNote, dispute: Stripe.Dispute): Stripe.Dispute {
  const isFirst = dispute.balance_transactions.length === 0;
  const description = "Chargeback withdrawal";
  const { currency, amount, id: source } = dispute;
  const fee = isFirst ? DISPUTE_FEE : 0;
  dispute.balance_transactions.push(
    move(cards, { type: "adjustment", amount: -amount, fee, currency, description, source }),
  );
  emit(cards, request, "charge.dispute.funds_withdrawn", cards.store.put(dispute));
  return dispute;
}

function reinstate(cards: Cards, request: RequestNote, dispute: Stripe.Dispute): Stripe.Dispute {
  const { currency, amount, id: source } = dispute;
  const description = "Chargeback reversal";
  dispute.balance_transactions.push(move(cards, { type: "adjustment", amount, currency, description, source }));
  emit(cards, request, "charge.dispute.funds_reinstated", cards.store.put(dispute));
  return dispute;
}

function chargeOf(cards: Cards, intentId: string): Stripe.Charge {
  const intent = findIntent(cards, intentId);
  const charge = cards.store.find<Stripe.Charge>("charge", String(intent.latest_charge));
  if (!charge?.paid || charge.amount_captured === 0)
    throw invalidRequest(`The payment ${intentId} is not paid, so nobody can dispute it.`, "payment_intent");
  return charge;
}
