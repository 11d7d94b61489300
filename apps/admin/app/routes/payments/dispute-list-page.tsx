import { disputeList } from "@farthing/core/payments/operator-payments.server.ts";
import type { ListedDispute } from "@farthing/core/payments/list-disputes.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { disputeListing } from "./dispute-list.tsx";
import type { Route } from "./+types/dispute-list-page";

export async function loader(args: Route.LoaderArgs) {
  const now = args.context.get(servicesContext).now();
  return { now, list: await loadList<ListedDispute, "due" | "opened">(args, disputeListing(now), disputeList) };
}

export default function DisputeListPage({ loaderData: { list, now } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Disputes"
        crumbs={[{ label: "Card payments", href: "/admin/payments" }]}
        intro="Open disputes of card payments, by the day their evidence is due. Evidence is submitted in the card provider’s dashboard."
      />
      <ListScreen list={disputeListing(now)} loaded={list} empty={<p>No dispute is open.</p>} />
    </>
  );
}
