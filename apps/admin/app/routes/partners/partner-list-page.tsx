import { may } from "@farthing/core/operators/permissions.ts";
import { partnerList, type ListedPartner } from "@farthing/core/partners/operator-records.server.ts";
import { operatorContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { partnerListing } from "./partner-list.tsx";
import type { Route } from "./+types/partner-list-page";

export async function loader(args: Route.LoaderArgs) {
  const list = await loadList<ListedPartner, "name">(args, partnerListing, partnerList);
  return { list, mayChange: may(args.context.get(operatorContext).role, "partners.change") };
}

export default function PartnerListPage({ loaderData: { list, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Partners" intro="Whose pages hold the payment widget, and whose servers call the API.">
        {mayChange && (
          <a className="button is-main" href="/admin/partners/new">
            New partner
          </a>
        )}
      </PageHead>
      <ListScreen list={partnerListing} loaded={list} empty={<p>There is no partner yet.</p>} />
    </>
  );
}
