import { brandList } from "@farthing/core/brands/brand-records.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { brandListing } from "./brand-list.tsx";
import type { Route } from "./+types/brands-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "brands.export", brandListing, brandList);
