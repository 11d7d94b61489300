import { importList } from "@farthing/core/catalogue-imports/list-imports.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { importListing } from "./import-list.tsx";
import type { Route } from "./+types/imports-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "imports.export", importListing, importList);
