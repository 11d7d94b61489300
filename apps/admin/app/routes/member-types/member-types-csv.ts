import { memberTypeList } from "@farthing/core/member-types/edit-member-types.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { memberTypeListing } from "./member-type-list.tsx";
import type { Route } from "./+types/member-types-csv";

export const loader = (args: Route.LoaderArgs) =>
  csvOfList(args, "member-types.export", memberTypeListing, memberTypeList);
