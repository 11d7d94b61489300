import { decimalPounds } from "@farthing/core/money/money.ts";
import type { HoldSort, ListedHold } from "@farthing/core/payouts/list-holds.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import type { List } from "../../kit/list.ts";
import { memberColumn, memberNameColumn } from "../../kit/member-column.tsx";
import { Moment } from "../../kit/moment.tsx";

/** Holds of payouts as a list: those in force first of all. */
export const holdListing: List<ListedHold, HoldSort> = {
  name: "payout-holds",
  path: "/admin/payouts/holds",
  csvPath: "/admin/payouts/holds.csv",
  rows: "holds",
  sorts: ["placed"],
  defaultSort: "placed",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ memberNumber }) => `the hold of member ${memberNumber}`,
  bulk: [{ name: "lift", label: "Lift …" }],
  filters: [
    { name: "q", label: "Member", kind: "text", placeholder: "Number, name, e-mail …" },
    {
      name: "state",
      label: "State",
      kind: "choice",
      none: "in force",
      choices: [
        { value: "lifted", label: "lifted" },
        { value: "all", label: "all" },
      ],
    },
  ],
  columns: [
    memberColumn,
    memberNameColumn,
    { key: "brand", label: "Brand", cell: ({ brand }) => brand, csv: ({ brand }) => brand },
    {
      key: "waiting",
      label: "Waits",
      isNumber: true,
      cell: ({ waitingPence }) => <Amount pence={waitingPence} />,
      csv: ({ waitingPence }) => decimalPounds(waitingPence),
    },
    { key: "reason", label: "Why", cell: ({ reason }) => reason, csv: ({ reason }) => reason },
    {
      key: "placed",
      label: "Since",
      sort: "placed",
      cell: ({ placedAt }) => <Moment at={placedAt} />,
      csv: ({ placedAt }) => placedAt,
    },
    { key: "by", label: "By", cell: ({ placedBy }) => placedBy, csv: ({ placedBy }) => placedBy },
    {
      key: "lifted",
      label: "Lifted",
      cell: ({ liftedAt, liftedBy }) =>
        liftedAt ? (
          <>
            <Moment at={liftedAt} /> by {liftedBy}
          </>
        ) : (
          "–"
        ),
      csv: ({ liftedAt }) => liftedAt,
    },
  ],
};
