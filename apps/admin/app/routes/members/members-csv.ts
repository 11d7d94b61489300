import { memberList } from "@farthing/core/members/list-members.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { memberListing } from "./member-list.tsx";
import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { servicesContext } from "../../admin-context.ts";
import type { Route } from "./+types/members-csv";

export async function loader(args: Route.LoaderArgs) {
  return csvOfList(
    args,
    "members.export",
    memberListing(await findBrandNames(args.context.get(servicesContext).db)),
    memberList,
  );
}
