import { auditList } from "@farthing/core/audit/queries.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { auditListing } from "./audit-list.tsx";
import type { Route } from "./+types/audit-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "audit.export", auditListing, auditList);
