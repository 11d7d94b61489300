import { operatorList } from "@farthing/core/operators/queries.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { operatorListing } from "./operator-list.tsx";
import type { Route } from "./+types/operators-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "operators.export", operatorListing, operatorList);
