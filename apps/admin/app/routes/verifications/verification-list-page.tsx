import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { requestList, type ListedRequest } from "@farthing/core/verification-requests/list-requests.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { verificationListing } from "./verification-list.tsx";
import type { Route } from "./+types/verification-list-page";

export async function loader(args: Route.LoaderArgs) {
  const brands = await findBrandNames(args.context.get(servicesContext).db);
  return { brands, list: await loadList<ListedRequest, "submitted">(args, verificationListing(brands), requestList) };
}

export default function VerificationListPage({ loaderData: { brands, list } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Verifications"
        intro="Proof of membership, the longest waiting first. A file is deleted 14 days after its decision."
      />
      <ListScreen list={verificationListing(brands)} loaded={list} empty={<p>No proof waits for a decision.</p>} />
    </>
  );
}
