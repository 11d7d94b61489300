import { decimalPounds } from "@farthing/core/money/money.ts";
import type { ListedPayout, PayoutSort } from "@farthing/core/payouts/list-payouts.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import type { List } from "../../kit/list.ts";
import { memberColumn, memberNameColumn } from "../../kit/member-column.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PayoutBadge, payoutStates } from "./payout-words.tsx";

/** Payouts as a list. */
export function payoutListing(brands: readonly { slug: string; name: string }[]): List<ListedPayout, PayoutSort> {
  return {
    name: "payouts",
    path: "/admin/payouts",
    csvPath: "/admin/payouts.csv",
    rows: "payouts",
    sorts: ["asked"],
    defaultSort: "-asked",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ reference }) => `payout ${reference}`,
    bulk: [{ name: "stop", label: "Stop …", isDanger: true }],
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Member, reference or id" },
      { name: "state", label: "State", kind: "choice", choices: payoutStates },
      {
        name: "brand",
        label: "Brand",
        kind: "choice",
        choices: brands.map(({ slug, name }) => ({ value: slug, label: name })),
      },
      { name: "batch", label: "Batch", kind: "text", placeholder: "Its number" },
    ],
    columns: [
      {
        key: "reference",
        label: "Reference",
        cell: ({ publicId, reference }) => (
          <a href={`/admin/payouts/${publicId}`} className="id">
            {reference}
          </a>
        ),
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
        cell: ({ state, isHeld }) => <PayoutBadge state={state} isHeld={isHeld && state === "requested"} />,
        csv: ({ state }) => state,
      },
      memberColumn,
      memberNameColumn,
      { key: "brand", label: "Brand", cell: ({ brand }) => brand, csv: ({ brand }) => brand },
      {
        key: "asked",
        label: "Asked for",
        sort: "asked",
        cell: ({ requestedAt }) => <Moment at={requestedAt} />,
        csv: ({ requestedAt }) => requestedAt,
      },
      { key: "paid", label: "Paid", cell: ({ paidAt }) => <Moment at={paidAt} />, csv: ({ paidAt }) => paidAt },
      {
        key: "batch",
        label: "Batch",
        isNumber: true,
        cell: ({ batchNumber }) =>
          batchNumber === null ? "–" : <a href={`/admin/payouts/batches/${batchNumber}`}>{batchNumber}</a>,
        csv: ({ batchNumber }) => batchNumber,
      },
      {
        key: "note",
        label: "Note",
        cell: ({ state, reason, lastError }) =>
          state === "requested" ? (lastError ?? "") : (reason?.replaceAll("_", " ") ?? ""),
        csv: ({ reason, lastError }) => reason ?? lastError,
      },
    ],
  };
}
