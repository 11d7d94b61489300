import {
  retailerList,
  type ListedRetailer,
  type RetailerSort,
} from "@farthing/core/catalogue/retailers/list-retailers.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { retailerChoices } from "./retailer-choices.server.ts";
import { retailerListing } from "./retailer-list.tsx";
import type { Route } from "./+types/retailer-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const at = now();
  const [choices, { "tracking-percent": fallingBelow }] = await Promise.all([retailerChoices(db), findThresholds(db)]);
  return {
    choices,
    fallingBelow,
    mayChange: may(args.context.get(operatorContext).role, "catalogue.change"),
    list: await loadList<ListedRetailer, RetailerSort>(args, retailerListing(choices, fallingBelow), (filters) =>
      retailerList(filters, at),
    ),
  };
}

export default function RetailerListPage({
  loaderData: { choices, fallingBelow, mayChange, list },
}: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Retailers">{mayChange && <a href="/admin/retailers/new">New retailer</a>}</PageHead>
      <ListScreen
        list={retailerListing(choices, fallingBelow)}
        loaded={list}
        empty={<p>There are no retailers yet. Import a network’s programmes: each brings its retailer.</p>}
      />
    </>
  );
}
