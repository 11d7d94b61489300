import { claimList, type ClaimSort, type ListedClaim } from "@farthing/core/claims/list-claims.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { claimListing } from "./claim-list.tsx";
import type { Route } from "./+types/claim-list-page";

export async function loader(args: Route.LoaderArgs) {
  const networks = await findNetworkNames(args.context.get(servicesContext).db);
  return { networks, list: await loadList<ListedClaim, ClaimSort>(args, claimListing(networks), claimList) };
}

export default function ClaimListPage({ loaderData: { networks, list } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Claims"
        intro="What members say of purchases that did not track, tracked wrongly or were declined; those first of which something is due next."
      >
        <a href="/admin/claims?waits=person&amp;sort=made">Waiting for a person</a>
        <a href="/admin/claims/packs">Packs</a>
      </PageHead>
      <ListScreen list={claimListing(networks)} loaded={list} empty={<p>Nobody has made a claim yet.</p>} />
    </>
  );
}
