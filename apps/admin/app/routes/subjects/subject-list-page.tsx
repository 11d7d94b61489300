import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { subjectList, type ListedSubject } from "@farthing/core/faqs/subject-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Badge, Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/subject-list-page";

type Sort = "place" | "name";

function subjectListing(brands: readonly { slug: string; name: string }[]): List<ListedSubject, Sort> {
  return {
    name: "subjects",
    path: "/admin/subjects",
    rows: "subjects",
    sorts: ["place", "name"],
    defaultSort: "place",
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    filters: [
      {
        name: "brand",
        label: "Whose",
        kind: "choice",
        choices: [
          { value: "shared", label: "Every brand’s" },
          ...brands.map(({ slug, name }) => ({ value: slug, label: name })),
        ],
      },
    ],
    columns: [
      {
        key: "name",
        label: "Subject",
        sort: "name",
        cell: ({ id, name }) => <a href={`/admin/subjects/${id}`}>{name}</a>,
      },
      { key: "slug", label: "Address", cell: ({ slug }) => <span className="id">/faq/{slug}</span> },
      { key: "place", label: "Place", sort: "place", isNumber: true, cell: ({ position }) => position },
      {
        key: "state",
        label: "State",
        cell: ({ isHidden }) => (isHidden ? <Badge tone="warn">hidden</Badge> : <Badge tone="good">shown</Badge>),
      },
      {
        key: "brand",
        label: "Whose",
        cell: ({ brandName }) => (brandName === null ? "every brand’s" : <Badge tone="good">{brandName}</Badge>),
      },
      {
        key: "questions",
        label: "Questions",
        isNumber: true,
        cell: ({ slug, questions }) => <a href={`/admin/questions?category=${slug}`}>{questions}</a>,
      },
    ],
  };
}

export async function loader(args: Route.LoaderArgs) {
  const brands = (await listBrands(args.context.get(servicesContext).db)).map(({ slug, name }) => ({ slug, name }));
  const list = await loadList<ListedSubject, Sort>(args, subjectListing(brands), subjectList);
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
