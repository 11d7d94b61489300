import type { ListedPack } from "@farthing/core/claims/list-packs.server.ts";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const packListing: List<ListedPack, "number"> = {
  name: "claim-packs",
  path: "/admin/claims/packs",
  csvPath: "/admin/claims/packs.csv",
  rows: "packs",
  sorts: ["number"],
  defaultSort: "-number",
  keyOf: ({ packNumber }) => String(packNumber),
  nameOf: ({ packNumber }) => `pack ${packNumber}`,
  filters: [],
  columns: [
    {
      key: "number",
      label: "Pack",
      sort: "number",
      cell: ({ packNumber }) => packNumber,
      csv: ({ packNumber }) => packNumber,
    },
    { key: "network", label: "Network", cell: ({ network }) => network, csv: ({ network }) => network },
    { key: "made", label: "Made", cell: ({ madeAt }) => <Moment at={madeAt} />, csv: ({ madeAt }) => madeAt },
    { key: "by", label: "By", cell: ({ madeBy }) => madeBy, csv: ({ madeBy }) => madeBy },
    { key: "claims", label: "Claims", isNumber: true, cell: ({ claims }) => claims, csv: ({ claims }) => claims },
    {
      key: "unanswered",
      label: "Not answered",
      isNumber: true,
      cell: ({ unanswered }) => unanswered,
      csv: ({ unanswered }) => unanswered,
    },
    {
      key: "file",
      label: "File",
      cell: ({ packNumber }) => (
        <a href={`/admin/claims/packs/${packNumber}`} download>
          CSV <span className="away">of pack {packNumber}</span>
        </a>
      ),
    },
  ],
};
