import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { requestList } from "@farthing/core/verification-requests/list-requests.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { verificationListing } from "./verification-list.tsx";
import type { Route } from "./+types/verifications-csv";

/** Who sent which kind of proof and what was decided. Nothing of the documents. */
export async function loader(args: Route.LoaderArgs) {
  const brands = await findBrandNames(args.context.get(servicesContext).db);
  return csvOfList(args, "verifications.export", verificationListing(brands), requestList);
}
