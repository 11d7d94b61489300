import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { faqList } from "@farthing/core/faqs/faq-records.server.ts";
import { listSubjectChoices } from "@farthing/core/faqs/subject-records.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { questionListing } from "./question-list.tsx";
import type { Route } from "./+types/questions-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db } = args.context.get(servicesContext);
  const [brands, subjects] = await Promise.all([listBrands(db), listSubjectChoices(db)]);
  return csvOfList(args, "faqs.export", questionListing(brands, subjects), faqList);
}
