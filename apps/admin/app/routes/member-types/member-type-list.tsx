import type { ListedMemberType } from "@farthing/core/member-types/edit-member-types.server.ts";
import type { List } from "../../kit/list.ts";

export const memberTypeListing: List<ListedMemberType, "place" | "name"> = {
  name: "member-types",
  path: "/admin/member-types",
  csvPath: "/admin/member-types.csv",
  rows: "member types",
  sorts: ["place", "name"],
  defaultSort: "place",
  keyOf: ({ slug }) => slug,
  nameOf: ({ name }) => name,
  filters: [{ name: "q", label: "Find", kind: "text", placeholder: "Name" }],
  columns: [
    {
      key: "name",
      label: "Member type",
      sort: "name",
      cell: ({ slug, name }) => <a href={`/admin/member-types/${slug}`}>{name}</a>,
      csv: ({ name }) => name,
    },
    {
      key: "place",
      label: "Place",
      sort: "place",
      isNumber: true,
      cell: ({ position }) => position,
      csv: ({ position }) => position,
    },
    {
      key: "statuses",
      label: "Statuses",
      isNumber: true,
      cell: ({ statuses }) => statuses,
      csv: ({ statuses }) => statuses,
    },
    { key: "fields", label: "Questions", isNumber: true, cell: ({ fields }) => fields, csv: ({ fields }) => fields },
    {
      key: "roles",
      label: "Job roles",
      isNumber: true,
      cell: ({ roles, isOrganisation }) => (isOrganisation ? "organisation" : roles),
      csv: ({ roles, isOrganisation }) => (isOrganisation ? "organisation" : roles),
    },
    {
      key: "brands",
      label: "Offered by",
      cell: ({ brands }) => brands ?? <span className="soft">no brand</span>,
      csv: ({ brands }) => brands,
    },
  ],
};
