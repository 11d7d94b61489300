import { reportList } from "@farthing/core/payouts/list-reports.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { reportListing } from "./report-list.tsx";
import type { Route } from "./+types/reports-csv";

export const loader = (args: Route.LoaderArgs) => {
  const now = args.context.get(servicesContext).now();
  return csvOfList(args, "payout-reports.export", reportListing, (filters) => reportList(filters, { now }));
};
