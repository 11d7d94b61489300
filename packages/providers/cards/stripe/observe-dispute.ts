import type { Pence } from "@farthing/core/money/money.ts";
import type { DisputeState } from "@farthing/core/payments/dispute-rules.ts";
import type { ObservedDispute, ObservedRefund } from "@farthing/core/payments/provider.ts";
import type Stripe from "stripe";

/** Returns a dispute in core's terms; null: it is in another currency, so its payment is not ours. */
export function observeDispute(dispute: Stripe.Dispute): ObservedDispute | null {
  if (dispute.currency !== "gbp") return null;
  const moved = dispute.balance_transactions;
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  // Negative amounts were withdrawn, positive ones reinstated.
  const withdrawnPence = Math.max(0, -sum(moved.map(({ amount }) => amount)));
  const { due_by: dueBy, has_evidence, submission_count } = dispute.evidence_details;
  return {
    providerDisputeId: dispute.id,
    state: dispute.status === "prevented" ? preventedAs(moved, withdrawnPence) : stateOf(dispute.status),
    reason: dispute.reason,
    amountPence: dispute.amount,
    withdrawnPence,
    feePence: Math.max(0, sum(moved.map(({ fee }) => fee))),
    evidenceDueAt: dueBy === null ? null : new Date(dueBy * 1000),
    hasEvidence: has_evidence || submission_count > 0,
    openedAt: new Date(dispute.created * 1000),
  };
}

/**
 * Returns the state of a dispute that the card network settled before it began: its money says how. Money that came back is
 * `won`, because a dispute that was seen as lost can't become `closed`.
 */
function preventedAs(moved: readonly { amount: number }[], withdrawnPence: Pence): DisputeState {
  if (withdrawnPence > 0) return "lost";
  return moved.some(({ amount }) => amount < 0) ? "won" : "closed";
}

function stateOf(status: Exclude<Stripe.Dispute.Status, "prevented">): DisputeState {
  switch (status) {
    case "warning_needs_response":
    case "warning_under_review":
      return "inquiry";
    // The bank dropped its question.
    case "warning_closed":
      return "closed";
    case "won":
      return "won";
    case "lost":
      return "lost";
    case "under_review":
    case "appeal_under_review":
      return "under_review";
    case "needs_response":
    case "appeal_needs_response":
    default: // a status that Stripe adds later is not decided yet
      return "needs_response";
  }
}

/** Returns a refund in core's terms. */
export function observeRefund({ id, metadata, status, amount, created }: Stripe.Refund): ObservedRefund {
  const isBack = status === "failed" || status === "canceled";
  return {
    providerRefundId: id,
    refundId: metadata?.["refund"] ?? null,
    status: isBack ? "failed" : status === "succeeded" ? "done" : "pending",
    amountPence: amount,
    madeAt: new Date(created * 1000),
  };
}
