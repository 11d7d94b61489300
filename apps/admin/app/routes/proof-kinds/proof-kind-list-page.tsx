import { may } from "@farthing/core/operators/permissions.ts";
import { proofKindList, type ListedProofKind } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { operatorContext } from "../../admin-context.ts";
import { Badge, Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { AskedBy, Sent } from "./proof-kind-use.tsx";
import type { Route } from "./+types/proof-kind-list-page";

type Sort = "place" | "name";

const proofKindListing: List<ListedProofKind, Sort> = {
  name: "proof-kinds",
  path: "/admin/proof-kinds",
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
    },
    { key: "place", label: "Place", sort: "place", isNumber: true, cell: ({ position }) => position },
    { key: "asked", label: "Asked for by", cell: ({ askedBy }) => <AskedBy types={askedBy} /> },
    { key: "requests", label: "Sent", isNumber: true, cell: ({ requests }) => <Sent requests={requests} /> },
  ],
};

export async function loader(args: Route.LoaderArgs) {
  return {
    list: await loadList<ListedProofKind, Sort>(args, proofKindListing, proofKindList),
    isDone: new URL(args.request.url).searchParams.has("done"),
    mayChange: may(args.context.get(operatorContext).role, "settings.change"),
  };
}

export default function ProofKindListPage({ loaderData: { list, isDone, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Proof kinds"
        intro="What counts as proof of membership. A member type’s page says which of them its members are asked for; the general ones are for types without a list."
      >
        {mayChange && (
          <a className="button is-main" href="/admin/proof-kinds/new">
            New proof kind
          </a>
        )}
      </PageHead>
      {isDone && <Notice tone="good">Removed.</Notice>}
      <ListScreen list={proofKindListing} loaded={list} empty={<p>There is no proof kind yet.</p>} />
    </>
  );
}
