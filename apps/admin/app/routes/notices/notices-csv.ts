import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { noticeList } from "@farthing/core/notices/notice-records.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { noticeListing } from "./notice-list.tsx";
import type { Route } from "./+types/notices-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  return csvOfList(args, "notices.export", noticeListing(await listBrands(db), now()), noticeList);
}
