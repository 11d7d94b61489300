import type { ListedReport } from "@farthing/core/payouts/list-reports.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

/** Reports of the bank as a list. */
export const reportListing: List<ListedReport, "read"> = {
  name: "payout-reports",
  path: "/admin/payouts/reports",
  csvPath: "/admin/payouts/reports.csv",
  rows: "reports",
  sorts: ["read"],
  defaultSort: "-read",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ fileName }) => fileName,
  filters: [
    {
      name: "state",
      label: "State",
      kind: "choice",
      choices: [
        { value: "waiting", label: "to apply" },
        { value: "applied", label: "applied" },
      ],
    },
  ],
  columns: [
    {
      key: "file",
      label: "File",
      cell: ({ publicId, fileName }) => <a href={`/admin/payouts/reports/${publicId}`}>{fileName}</a>,
      csv: ({ fileName }) => fileName,
    },
    {
      key: "state",
      label: "State",
      cell: ({ appliedAt }) => (appliedAt ? <Badge tone="good">applied</Badge> : <Badge tone="warn">to apply</Badge>),
      csv: ({ appliedAt }) => (appliedAt ? "applied" : "to apply"),
    },
    { key: "lines", label: "Payments", isNumber: true, cell: ({ lines }) => lines, csv: ({ lines }) => lines },
    {
      key: "read",
      label: "Read",
      sort: "read",
      cell: ({ readAt }) => <Moment at={readAt} />,
      csv: ({ readAt }) => readAt,
    },
    { key: "by", label: "By", cell: ({ readBy }) => readBy, csv: ({ readBy }) => readBy },
    {
      key: "applied",
      label: "Applied",
      cell: ({ appliedAt }) => <Moment at={appliedAt} />,
      csv: ({ appliedAt }) => appliedAt,
    },
  ],
};
