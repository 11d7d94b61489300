import { claimList } from "@farthing/core/claims/list-claims.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { claimListing } from "./claim-list.tsx";
import type { Route } from "./+types/claims-csv";

export async function loader(args: Route.LoaderArgs) {
  return csvOfList(
    args,
    "claims.export",
    claimListing(await findNetworkNames(args.context.get(servicesContext).db)),
    claimList,
  );
}
