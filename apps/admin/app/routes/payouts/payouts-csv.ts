import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { payoutList } from "@farthing/core/payouts/list-payouts.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { payoutListing } from "./payout-list.tsx";
import type { Route } from "./+types/payouts-csv";

export async function loader(args: Route.LoaderArgs) {
  return csvOfList(
    args,
    "payouts.export",
    payoutListing(await findBrandNames(args.context.get(servicesContext).db)),
    payoutList,
  );
}
