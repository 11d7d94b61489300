import { packList } from "@farthing/core/claims/list-packs.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { packListing } from "./pack-list.tsx";
import type { Route } from "./+types/packs-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "claim-packs.export", packListing, packList);
