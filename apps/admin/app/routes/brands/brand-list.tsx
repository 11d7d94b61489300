import type { ListedBrand } from "@farthing/core/brands/brand-records.server.ts";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const brandListing: List<ListedBrand, "name" | "created"> = {
  name: "brands",
  path: "/admin/brands",
  csvPath: "/admin/brands.csv",
  rows: "brands",
  sorts: ["name", "created"],
  defaultSort: "name",
  keyOf: ({ slug }) => slug,
  nameOf: ({ name }) => name,
  filters: [{ name: "q", label: "Find", kind: "text", placeholder: "Name, short name or host" }],
  columns: [
    {
      key: "name",
      label: "Brand",
      sort: "name",
      cell: ({ slug, name }) => <a href={`/admin/brands/${slug}`}>{name}</a>,
      csv: ({ name }) => name,
    },
    { key: "audience", label: "For", cell: ({ audience }) => audience, csv: ({ audience }) => audience },
    {
      key: "host",
      label: "Main host",
      cell: ({ mainHost, hosts }) => (
        <>
          {mainHost ?? "none"} {hosts > 1 && <span className="soft">and {hosts - 1} more</span>}
        </>
      ),
      csv: ({ mainHost }) => mainHost,
    },
    { key: "theme", label: "Theme", cell: ({ theme }) => theme, csv: ({ theme }) => theme },
    {
      key: "retailers",
      label: "Retailers",
      isNumber: true,
      cell: ({ retailers }) => retailers,
      csv: ({ retailers }) => retailers,
    },
    {
      key: "created",
      label: "Since",
      sort: "created",
      cell: ({ createdAt }) => <Moment at={createdAt} isDay />,
      csv: ({ createdAt }) => createdAt,
    },
    {
      key: "updated",
      label: "Changed",
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
      csv: ({ updatedAt }) => updatedAt,
    },
  ],
};
