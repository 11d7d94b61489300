import type { ListedProofKind } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { AskedBy, sentText } from "./proof-kind-use.tsx";

export type ProofKindSort = "place" | "name";

export const proofKindListing: List<ListedProofKind, ProofKindSort> = {
  name: "proof-kinds",
  path: "/admin/proof-kinds",
  csvPath: "/admin/proof-kinds.csv",
  rows: "proof kinds",
  sorts: ["place", "name"],
  defaultSort: "place",
  keyOf: ({ slug }) => slug,
  nameOf: ({ name }) => name,
  filters: [{ name: "q", label: "Find", kind: "text", placeholder: "Name" }],
  columns: [
    {
      key: "name",
      label: "Proof kind",
      sort: "name",
      cell: ({ slug, name, isGeneral }) => (
        <>
          <a href={`/admin/proof-kinds/${slug}`}>{name}</a> {isGeneral && <Badge tone="good">general</Badge>}
        </>
      ),
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
      key: "asked",
      label: "Asked for by",
      cell: ({ askedBy }) => <AskedBy types={askedBy} />,
      csv: ({ isGeneral, askedBy }) =>
        [...(isGeneral ? ["types without a list"] : []), ...askedBy.map(({ name }) => name)].join(", "),
    },
    {
      key: "requests",
      label: "Sent",
      isNumber: true,
      cell: ({ requests }) => sentText(requests),
      csv: ({ requests }) => sentText(requests),
    },
  ],
};
