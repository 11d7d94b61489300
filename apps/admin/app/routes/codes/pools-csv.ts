import { poolList } from "@farthing/core/code-pools/list-pools.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { poolListing } from "./pool-list.tsx";
import type { Route } from "./+types/pools-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "codes.export", poolListing, poolList);
