import type { ListedSubject } from "@farthing/core/faqs/subject-records.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";

export type SubjectSort = "place" | "name";

export function subjectListing(brands: readonly { slug: string; name: string }[]): List<ListedSubject, SubjectSort> {
  return {
    name: "subjects",
    path: "/admin/subjects",
    csvPath: "/admin/subjects.csv",
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
        csv: ({ name }) => name,
      },
      {
        key: "slug",
        label: "Address",
        cell: ({ slug }) => <span className="id">/faq/{slug}</span>,
        csv: ({ slug }) => `/faq/${slug}`,
      },
      {
        key: "place",
        label: "Place",
        sort: "place",
        isNumber: true,
        cell: ({ position }) => position,
        csv: ({ position }) => position,
      },
      {
        key: "state",
        label: "State",
        cell: ({ isHidden }) => (isHidden ? <Badge tone="warn">hidden</Badge> : <Badge tone="good">shown</Badge>),
        csv: ({ isHidden }) => (isHidden ? "hidden" : "shown"),
      },
      {
        key: "brand",
        label: "Whose",
        cell: ({ brandName }) => (brandName === null ? "every brand’s" : <Badge tone="good">{brandName}</Badge>),
        csv: ({ brandName }) => brandName ?? "every brand’s",
      },
      {
        key: "questions",
        label: "Questions",
        isNumber: true,
        cell: ({ slug, questions }) => <a href={`/admin/questions?category=${slug}`}>{questions}</a>,
        csv: ({ questions }) => questions,
      },
    ],
  };
}
