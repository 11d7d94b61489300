import { partnerList } from "@farthing/core/partners/operator-records.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { partnerListing } from "./partner-list.tsx";
import type { Route } from "./+types/partners-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "partners.export", partnerListing, partnerList);
