import { holdList } from "@farthing/core/payouts/list-holds.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { holdListing } from "./hold-list.tsx";
import type { Route } from "./+types/holds-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "payout-holds.export", holdListing, holdList);
