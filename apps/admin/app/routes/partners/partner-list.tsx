import type { ListedPartner } from "@farthing/core/partners/operator-records.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const partnerListing: List<ListedPartner, "name"> = {
  name: "partners",
  path: "/admin/partners",
  csvPath: "/admin/partners.csv",
  rows: "partners",
  sorts: ["name"],
  defaultSort: "name",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ name }) => name,
  filters: [
    { name: "q", label: "Find", kind: "text", placeholder: "Name, id or origin" },
    {
      name: "state",
      label: "State",
      kind: "choice",
      choices: [
        { value: "open", label: "Open" },
        { value: "suspended", label: "Suspended" },
      ],
    },
  ],
  columns: [
    {
      key: "name",
      label: "Partner",
      sort: "name",
      cell: ({ publicId, name, isHouse }) => (
        <>
          <a href={`/admin/partners/${publicId}`}>{name}</a> {isHouse && <Badge>the club itself</Badge>}
        </>
      ),
      csv: ({ name }) => name,
    },
    {
      key: "id",
      label: "Id",
      cell: ({ publicId }) => <span className="id">{publicId}</span>,
      csv: ({ publicId }) => publicId,
    },
    {
      key: "state",
      label: "State",
      cell: ({ suspendedAt }) => (suspendedAt ? <Badge tone="bad">suspended</Badge> : <Badge tone="good">open</Badge>),
      csv: ({ suspendedAt }) => (suspendedAt ? "suspended" : "open"),
    },
    { key: "origins", label: "Origins", isNumber: true, cell: ({ origins }) => origins, csv: ({ origins }) => origins },
    { key: "keys", label: "Keys", isNumber: true, cell: ({ keys }) => keys, csv: ({ keys }) => keys },
    {
      key: "webhooks",
      label: "Webhooks",
      isNumber: true,
      cell: ({ webhooks }) => webhooks,
      csv: ({ webhooks }) => webhooks,
    },
    {
      key: "since",
      label: "Since",
      cell: ({ createdAt }) => <Moment at={createdAt} isDay />,
      csv: ({ createdAt }) => createdAt,
    },
  ],
};
