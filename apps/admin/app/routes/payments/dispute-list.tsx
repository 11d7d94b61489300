import { decimalPounds } from "@farthing/core/money/money.ts";
import type { ListedDispute } from "@farthing/core/payments/list-disputes.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { DisputeBadge, disputeStates, EvidenceDue } from "./payment-words.tsx";

/** Disputes as a list, with how long is left for their evidence at a moment. */
export function disputeListing(now: Date): List<ListedDispute, "due" | "opened"> {
  return {
    name: "disputes",
    path: "/admin/disputes",
    csvPath: "/admin/disputes.csv",
    rows: "disputes",
    sorts: ["due", "opened"],
    defaultSort: "due",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ providerDisputeId }) => `dispute ${providerDisputeId}`,
    filters: [{ name: "state", label: "State", kind: "choice", none: "open", choices: disputeStates }],
    columns: [
      {
        key: "due",
        label: "Evidence due",
        sort: "due",
        cell: (dispute) => <EvidenceDue dispute={dispute} now={now} />,
        csv: ({ hasEvidence, evidenceDueAt }) => (hasEvidence ? "sent" : evidenceDueAt),
      },
      {
        key: "payment",
        label: "Payment",
        cell: ({ paymentPublicId, reference }) => <a href={`/admin/payments/${paymentPublicId}`}>{reference}</a>,
        csv: ({ reference }) => reference,
      },
      {
        key: "amount",
        label: "Amount",
        isNumber: true,
        cell: ({ amountPence }) => <Amount pence={amountPence} />,
        csv: ({ amountPence }) => decimalPounds(amountPence),
      },
      {
        key: "state",
        label: "State",
        cell: ({ state, mode }) => (
          <>
            <DisputeBadge state={state} /> {mode === "test" && <Badge>test</Badge>}
          </>
        ),
        csv: ({ state, mode }) => (mode === "test" ? `${state}, test` : state),
      },
      {
        key: "reason",
        label: "Reason",
        cell: ({ reason }) => reason.replaceAll("_", " "),
        csv: ({ reason }) => reason,
      },
      { key: "partner", label: "Partner", cell: ({ partner }) => partner, csv: ({ partner }) => partner },
      {
        key: "opened",
        label: "Opened",
        sort: "opened",
        cell: ({ openedAt }) => <Moment at={openedAt} isDay />,
        csv: ({ openedAt }) => openedAt,
      },
      {
        key: "id",
        label: "At the provider",
        cell: ({ providerDisputeId }) => <span className="id">{providerDisputeId}</span>,
        csv: ({ providerDisputeId }) => providerDisputeId,
      },
    ],
  };
}
