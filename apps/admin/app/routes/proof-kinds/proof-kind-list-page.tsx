import { may } from "@farthing/core/operators/permissions.ts";
import { proofKindList, type ListedProofKind } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { operatorContext } from "../../admin-context.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { proofKindListing, type ProofKindSort } from "./proof-kind-list.tsx";
import type { Route } from "./+types/proof-kind-list-page";

export async function loader(args: Route.LoaderArgs) {
  return {
    list: await loadList<ListedProofKind, ProofKindSort>(args, proofKindListing, proofKindList),
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
