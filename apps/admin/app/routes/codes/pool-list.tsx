import type { ListedPool, PoolSort } from "@farthing/core/code-pools/list-pools.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export function PoolLevel({ level }: { level: "low" | "empty" | null }) {
  if (level === null) return <Badge tone="good">enough</Badge>;
  return <Badge tone={level === "empty" ? "bad" : "warn"}>{level}</Badge>;
}

/** Pools of codes as a list. */
export const poolListing: List<ListedPool, PoolSort> = {
  name: "codes",
  path: "/admin/codes",
  csvPath: "/admin/codes.csv",
  rows: "pools",
  sorts: ["raised", "title"],
  defaultSort: "raised",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ title }) => title,
  filters: [
    { name: "q", label: "Find", kind: "text", placeholder: "Offer or retailer" },
    { name: "level", label: "Left", kind: "choice", choices: [{ value: "out", label: "Running out" }] },
  ],
  columns: [
    {
      key: "title",
      label: "Offer",
      sort: "title",
      cell: ({ publicId, title }) => (
        <a href={`/admin/codes/${publicId}`} className="wide-cell">
          {title}
        </a>
      ),
      csv: ({ title }) => title,
    },
    { key: "retailer", label: "Retailer", cell: ({ retailer }) => retailer, csv: ({ retailer }) => retailer },
    { key: "free", label: "Left", isNumber: true, cell: ({ free }) => free, csv: ({ free }) => free },
    { key: "total", label: "Of", isNumber: true, cell: ({ total }) => total, csv: ({ total }) => total },
    {
      key: "level",
      label: "State",
      cell: ({ level }) => <PoolLevel level={level} />,
      csv: ({ level }) => level ?? "enough",
    },
    {
      key: "raised",
      label: "Runs out since",
      sort: "raised",
      cell: ({ raisedAt }) => <Moment at={raisedAt} />,
      csv: ({ raisedAt }) => raisedAt,
    },
  ],
};
