import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { subjectList, type ListedSubject } from "@farthing/core/faqs/subject-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { subjectListing, type SubjectSort } from "./subject-list.tsx";
import type { Route } from "./+types/subject-list-page";

export async function loader(args: Route.LoaderArgs) {
  const brands = (await listBrands(args.context.get(servicesContext).db)).map(({ slug, name }) => ({ slug, name }));
  const list = await loadList<ListedSubject, SubjectSort>(args, subjectListing(brands), subjectList);
  return {
    ...{ list, brands, isDone: new URL(args.request.url).searchParams.has("done") },
    mayChange: may(args.context.get(operatorContext).role, "brands.change"),
  };
}

export default function SubjectListPage({ loaderData: { list, brands, isDone, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Subjects of questions"
        crumbs={[{ label: "Questions", href: "/admin/questions" }]}
        intro="The tabs of the FAQ page, by their places. A brand’s own subject replaces the shared one of the same short name there: its name, its place, whether it is hidden."
      >
        {mayChange && (
          <a className="button is-main" href="/admin/subjects/new">
            New subject
          </a>
        )}
      </PageHead>
      {isDone && <Notice tone="good">Done. The FAQ pages show it.</Notice>}
      <ListScreen list={subjectListing(brands)} loaded={list} empty={<p>There is no subject yet.</p>} />
    </>
  );
}
