import type { DisputeState } from "@farthing/core/payments/dispute-rules.ts";
import type { ListedDispute } from "@farthing/core/payments/list-disputes.server.ts";
import type { PaymentState } from "@farthing/core/payments/rules.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";

const paymentTones: Record<PaymentState, Tone> = {
  created: "plain",
  awaiting_payment: "plain",
  processing: "warn",
  paid: "good",
  partly_refunded: "warn",
  refunded: "plain",
  failed: "bad",
  cancelled: "plain",
};

export function PaymentBadge({ state }: { state: PaymentState }) {
  return <Badge tone={paymentTones[state]}>{state.replaceAll("_", " ")}</Badge>;
}

export const paymentStates = Object.keys(paymentTones).map((value) => ({ value, label: value.replaceAll("_", " ") }));

const disputeTones: Record<DisputeState, Tone> = {
  inquiry: "warn",
  needs_response: "bad",
  under_review: "plain",
  won: "good",
  lost: "bad",
  closed: "plain",
};

export function DisputeBadge({ state }: { state: DisputeState }) {
  return <Badge tone={disputeTones[state]}>{state.replaceAll("_", " ")}</Badge>;
}

export const disputeStates = [
  { value: "evidence", label: "waits for evidence" },
  { value: "all", label: "all, also those that are over" },
  ...Object.keys(disputeTones).map((value) => ({ value, label: value.replaceAll("_", " ") })),
];

/** When evidence is due, where somebody has to send it. */
export function EvidenceDue({ dispute, now }: { dispute: ListedDispute; now: Date }) {
  const { state, hasEvidence, evidenceDueAt } = dispute;
  if (hasEvidence) return <Badge tone="good">sent</Badge>;
  if ((state !== "inquiry" && state !== "needs_response") || evidenceDueAt === null) return <>–</>;
  const days = Math.floor((new Date(evidenceDueAt).getTime() - now.getTime()) / 86_400_000);
  return (
    <>
      <Moment at={evidenceDueAt} />{" "}
      <Badge tone={days < 3 ? "bad" : "warn"}>
        {days < 0 ? "too late" : days === 0 ? "today" : `in ${days} ${days === 1 ? "day" : "days"}`}
      </Badge>
    </>
  );
}
