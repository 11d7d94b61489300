import type { DisputeState } from "@farthing/core/payments/dispute-rules.ts";
import type { ObservedDispute, ObservedRefund } from "@farthing/core/payments/provider.ts";
import type Stripe from "stripe";

/** Returns a dispute in core's terms; null: it is in another currency, so its payment is not ours. */
export function observeDispute(dispute: Stripe.Dispute): ObservedDispute | null {
  if (dispute.currency !== "gbp") return null;
  const moved = dispute.balance_transactions;
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const { due_by: dueBy, has_evidence, submission_count } = dispute.evidence_details;
  return {
    providerDisputeId: dispute.id,
    state: stateOf(dispute.status),
    reason: dispute.reason,
    amountPence: dispute.amount,
    // Negative amounts were withdrawn, positive ones reinstated.
    withdrawnPence: Math.max(0, -sum(moved.map(({ amount }) => amount))),
    feePence: Math.max(0, sum(moved.map(({ fee }) => fee))),
    evidenceDueAt: dueBy === null ? null : new Date(dueBy * 1000),
    hasEvidence: has_evidence || submission_count > 0,
    openedAt: new Date(dispute.created * 1000),
  };
}

function stateOf(status: Stripe.Dispute.Status): DisputeState {
  switch (status) {
    case "warning_needs_response":
    case "warning_under_review":
      return "inquiry";
    // The bank dropped its question, or the card network settled it before it became a dispute.
    case "warning_closed":
    case "prevented":
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
