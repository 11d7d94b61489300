import { reportList } from "@farthing/core/payouts/list-reports.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { reportListing } from "./report-list.tsx";
import type { Route } from "./+types/reports-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "payout-reports.export", reportListing, reportList);
