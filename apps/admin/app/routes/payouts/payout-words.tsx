import type { BatchState } from "@farthing/core/payouts/list-batches.server.ts";
import type { PayoutState } from "@farthing/core/payouts/rules.ts";
import type { AppliedFailure } from "@farthing/core/payouts/failures.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";

const payoutWords: Record<PayoutState, { text: string; tone: Tone }> = {
  requested: { text: "waits", tone: "warn" },
  processing: { text: "in a batch", tone: "plain" },
  paid: { text: "paid", tone: "good" },
  failed: { text: "failed", tone: "bad" },
  returned: { text: "came back", tone: "bad" },
};

export function PayoutBadge({ state, isHeld = false }: { state: PayoutState; isHeld?: boolean }) {
  const { text, tone } = payoutWords[state];
  return (
    <>
      <Badge tone={tone}>{text}</Badge> {isHeld && <Badge tone="bad">on hold</Badge>}
    </>
  );
}

const batchWords: Record<BatchState, { text: string; tone: Tone }> = {
  waiting: { text: "to approve", tone: "warn" },
  approved: { text: "to confirm", tone: "plain" },
  rejected: { text: "rejected", tone: "bad" },
  cancelled: { text: "cancelled", tone: "bad" },
  confirmed: { text: "paid", tone: "good" },
};

export const batchStateText = (state: BatchState) => batchWords[state].text;

export function BatchBadge({ state }: { state: BatchState }) {
  const { text, tone } = batchWords[state];
  return <Badge tone={tone}>{text}</Badge>;
}

export const batchStates = Object.entries(batchWords).map(([value, { text }]) => ({ value, label: text }));

export const payoutStates = [
  ...Object.entries(payoutWords).map(([value, { text }]) => ({ value, label: text })),
  { value: "held", label: "waits, on hold" },
  { value: "left-out", label: "waits, left out of the last batch" },
];

/** What a line of the bank's report does, or did. */
export const outcomeWords: Record<AppliedFailure["outcome"], { would: string; did: string; tone: Tone }> = {
  failed: { would: "ends it; the money is payable again", did: "ended; the money is payable again", tone: "good" },
  returned: {
    would: "takes it back; the money is payable again",
    did: "came back; the money is payable again",
    tone: "good",
  },
  already: { would: "nothing: applied before", did: "nothing: applied before", tone: "plain" },
  unknown: { would: "nothing: not ours", did: "nothing: not ours", tone: "bad" },
  "other-amount": { would: "nothing: another amount", did: "nothing: another amount", tone: "bad" },
  "not-sent": { would: "nothing: it was not sent", did: "nothing: it was not sent", tone: "bad" },
  "too-early": {
    would: "nothing: the bank has not processed it yet",
    did: "nothing: the bank had not processed it yet",
    tone: "bad",
  },
  "unknown-code": { would: "nothing: an unknown code", did: "nothing: an unknown code", tone: "bad" },
};
