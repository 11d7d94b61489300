import { retailerList } from "@farthing/core/catalogue/retailers/list-retailers.server.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { retailerChoices } from "./retailer-choices.server.ts";
import { retailerListing } from "./retailer-list.tsx";
import type { Route } from "./+types/retailers-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const at = now();
  const [choices, { "tracking-percent": fallingBelow }] = await Promise.all([retailerChoices(db), findThresholds(db)]);
  return csvOfList(args, "retailers.export", retailerListing(choices, fallingBelow), (filters) =>
    retailerList(filters, at),
  );
}
