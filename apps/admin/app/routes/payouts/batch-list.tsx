import { decimalPounds } from "@farthing/core/money/money.ts";
import type { BatchSort, ListedBatch } from "@farthing/core/payouts/list-batches.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { BatchBadge, batchStates, batchStateText } from "./payout-words.tsx";

/** Batches of payouts as a list. */
export const batchListing: List<ListedBatch, BatchSort> = {
  name: "payout-batches",
  path: "/admin/payouts/batches",
  csvPath: "/admin/payouts/batches.csv",
  rows: "batches",
  sorts: ["number"],
  defaultSort: "-number",
  keyOf: ({ batchNumber }) => String(batchNumber),
  nameOf: ({ batchNumber }) => `batch ${batchNumber}`,
  filters: [{ name: "state", label: "State", kind: "choice", choices: batchStates }],
  columns: [
    {
      key: "number",
      label: "Batch",
      sort: "number",
      cell: ({ batchNumber }) => <a href={`/admin/payouts/batches/${batchNumber}`}>Batch {batchNumber}</a>,
      csv: ({ batchNumber }) => batchNumber,
    },
    {
      key: "state",
      label: "State",
      cell: ({ state }) => <BatchBadge state={state} />,
      csv: ({ state }) => batchStateText(state),
    },
    {
      key: "payouts",
      label: "Payments",
      isNumber: true,
      cell: ({ payouts }) => payouts,
      csv: ({ payouts }) => payouts,
    },
    {
      key: "total",
      label: "Total",
      isNumber: true,
      cell: ({ totalPence }) => <Amount pence={totalPence} />,
      csv: ({ totalPence }) => decimalPounds(totalPence),
    },
    {
      key: "ended",
      label: "Failed or came back",
      isNumber: true,
      cell: ({ ended, endedPence }) =>
        ended === 0 ? (
          "–"
        ) : (
          <>
            {ended}, <Amount pence={endedPence} />
          </>
        ),
      csv: ({ ended }) => ended,
    },
    { key: "made", label: "Made", cell: ({ madeAt }) => <Moment at={madeAt} />, csv: ({ madeAt }) => madeAt },
    { key: "by", label: "By", cell: ({ madeBy }) => madeBy, csv: ({ madeBy }) => madeBy },
    {
      key: "processing",
      label: "Processed on",
      cell: ({ processingDay }) => <Moment at={processingDay} isDay />,
      csv: ({ processingDay }) => processingDay,
    },
  ],
};
