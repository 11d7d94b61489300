import type { ListedImport } from "@farthing/core/catalogue-imports/list-imports.server.ts";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const count = (key: "read" | "created" | "updated" | "withdrawn", label: string) => ({
  key,
  label,
  isNumber: true,
  cell: (row: ListedImport) => row[key],
  csv: (row: ListedImport) => row[key],
});

/** Imports as a list. */
export const importListing: List<ListedImport, "at"> = {
  name: "imports",
  path: "/admin/imports",
  csvPath: "/admin/imports.csv",
  rows: "imports",
  sorts: ["at"],
  defaultSort: "-at",
  keyOf: ({ id }) => id,
  nameOf: ({ source }) => source,
  filters: [],
  columns: [
    { key: "at", label: "When", sort: "at", cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
    { key: "source", label: "File", cell: ({ source }) => source, csv: ({ source }) => source },
    { key: "network", label: "Network", cell: ({ network }) => network, csv: ({ network }) => network },
    { key: "kind", label: "Kind", cell: ({ kind }) => kind, csv: ({ kind }) => kind },
    count("read", "Records"),
    count("created", "Made"),
    count("updated", "Changed"),
    count("withdrawn", "Withdrawn"),
  ],
};
