import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { faqList, type ListedFaq } from "@farthing/core/faqs/faq-records.server.ts";
import { listSubjectChoices } from "@farthing/core/faqs/subject-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { questionListing, type QuestionSort } from "./question-list.tsx";
import type { Route } from "./+types/question-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db } = args.context.get(servicesContext);
  const [all, categories] = await Promise.all([listBrands(db), listSubjectChoices(db)]);
  const brands = all.map(({ slug, name }) => ({ slug, name }));
  const list = await loadList<ListedFaq, QuestionSort>(args, questionListing(brands, categories), faqList);
  const query = new URL(args.request.url).searchParams;
  return {
    ...{ list, brands, categories, isDone: query.has("done") },
    mayChange: may(args.context.get(operatorContext).role, "brands.change"),
  };
}

export default function QuestionListPage({ loaderData }: Route.ComponentProps) {
  const { list, brands, categories, isDone, mayChange } = loaderData;
  const brand = list.filters["brand"];
  const isOne = brand !== undefined && brand !== "shared";
  return (
    <>
      <PageHead
        title="Questions"
        intro="What members ask, with answers. A brand’s own question replaces the shared one of the same short name there."
      >
        <a href="/admin/subjects">Subjects</a>
        {mayChange && (
          <a className="button is-main" href={`/admin/questions/new${isOne ? `?brand=${brand}` : ""}`}>
            New question
          </a>
        )}
      </PageHead>
      {isDone && <Notice tone="good">Done. The FAQ pages show it.</Notice>}
      <ListScreen list={questionListing(brands, categories)} loaded={list} empty={<p>There is no question yet.</p>} />
    </>
  );
}
