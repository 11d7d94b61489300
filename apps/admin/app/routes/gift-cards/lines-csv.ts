import { lineList } from "@farthing/core/gift-cards/list-lines.server.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { lineListing } from "./line-list.tsx";
import type { Route } from "./+types/lines-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db, issuers } = args.context.get(servicesContext);
  const { "gift-card-attempts": attempts } = await findThresholds(db);
  return await csvOfList(args, "gift-card-lines.export", lineListing([...issuers.keys()]), (filters) =>
    lineList(filters, attempts),
  );
}
