import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { subjectList } from "@farthing/core/faqs/subject-records.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { subjectListing } from "./subject-list.tsx";
import type { Route } from "./+types/subjects-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db } = args.context.get(servicesContext);
  return csvOfList(args, "faq-subjects.export", subjectListing(await listBrands(db)), subjectList);
}
