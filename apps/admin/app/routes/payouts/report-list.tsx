import type { ListedReport, ReportState } from "@farthing/core/payouts/list-reports.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const reportWords: Record<ReportState, { text: string; tone: Tone }> = {
  waiting: { text: "to apply", tone: "warn" },
  look: { text: "to look at", tone: "warn" },
  nothing: { text: "changes nothing", tone: "plain" },
  applied: { text: "applied", tone: "good" },
  discarded: { text: "discarded", tone: "plain" },
};

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
      choices: Object.entries(reportWords).map(([value, { text }]) => ({ value, label: text })),
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
      cell: ({ state }) => <Badge tone={reportWords[state].tone}>{reportWords[state].text}</Badge>,
      csv: ({ state }) => reportWords[state].text,
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
