import { decimalPounds } from "@farthing/core/money/money.ts";
import type { OperatorPayment } from "@farthing/core/payments/operator-payments.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { PaymentBadge, paymentStates } from "./payment-words.tsx";

/** Card payments as a list. */
export const paymentListing: List<OperatorPayment, "made"> = {
  name: "card-payments",
  path: "/admin/payments",
  csvPath: "/admin/payments.csv",
  rows: "card payments",
  sorts: ["made"],
  defaultSort: "-made",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ reference }) => `payment ${reference}`,
  filters: [
    { name: "q", label: "Find", kind: "text", placeholder: "Id or reference" },
    { name: "state", label: "State", kind: "choice", choices: paymentStates },
    {
      name: "mode",
      label: "Mode",
      kind: "choice",
      choices: [
        { value: "live", label: "live" },
        { value: "test", label: "test" },
      ],
    },
  ],
  columns: [
    {
      key: "reference",
      label: "For",
      cell: ({ publicId, reference }) => <a href={`/admin/payments/${publicId}`}>{reference}</a>,
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
      cell: ({ state, mode, disputedPence }) => (
        <>
          <PaymentBadge state={state} /> {mode === "test" && <Badge>test</Badge>}{" "}
          {disputedPence > 0 && <Badge tone="bad">disputed</Badge>}
        </>
      ),
      csv: ({ state }) => state,
    },
    {
      key: "refunded",
      label: "Refunded",
      isNumber: true,
      cell: ({ refundedPence }) => (refundedPence > 0 ? <Amount pence={refundedPence} /> : "–"),
      csv: ({ refundedPence }) => decimalPounds(refundedPence),
    },
    { key: "partner", label: "Partner", cell: ({ partner }) => partner, csv: ({ partner }) => partner },
    {
      key: "made",
      label: "Made",
      sort: "made",
      cell: ({ createdAt }) => <Moment at={createdAt} />,
      csv: ({ createdAt }) => createdAt,
    },
  ],
};
