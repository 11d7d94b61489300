import { lineList } from "@farthing/core/gift-cards/list-lines.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { lineListing } from "./line-list.tsx";
import type { Route } from "./+types/lines-csv";

export function loader(args: Route.LoaderArgs) {
  return csvOfList(args, lineListing([...args.context.get(servicesContext).issuers.keys()]), lineList);
}
