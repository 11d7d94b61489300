import { heldSaleList } from "@farthing/core/networks/list-held.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { heldListing } from "./held-list.tsx";
import type { Route } from "./+types/held-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const at = now();
  const networks = await findNetworkNames(db);
  const seesCommission = may(args.context.get(operatorContext).role, "money.see");
  return csvOfList(args, "held-sales.export", heldListing(networks, { seesMoney: seesCommission }), (filters) =>
    heldSaleList(filters, { now: at, seesCommission }),
  );
}
