import { disputeList } from "@farthing/core/payments/operator-payments.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { disputeListing } from "./dispute-list.tsx";
import type { Route } from "./+types/disputes-csv";

export const loader = (args: Route.LoaderArgs) =>
  csvOfList(args, "disputes.export", disputeListing(args.context.get(servicesContext).now()), disputeList);
