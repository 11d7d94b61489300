import { proofKindList } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { proofKindListing } from "./proof-kind-list.tsx";
import type { Route } from "./+types/proof-kinds-csv";

export const loader = (args: Route.LoaderArgs) =>
  csvOfList(args, "proof-kinds.export", proofKindListing, proofKindList);
