import { batchList } from "@farthing/core/payouts/list-batches.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { batchListing } from "./batch-list.tsx";
import type { Route } from "./+types/batches-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "payout-batches.export", batchListing, batchList);
