import type { ListedFaq } from "@farthing/core/faqs/faq-records.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";

interface Named {
  slug: string;
  name: string;
}
export type QuestionSort = "place" | "question";

const choicesOf = (named: readonly Named[]) => named.map(({ slug, name }) => ({ value: slug, label: name }));

export function questionListing(brands: readonly Named[], categories: readonly Named[]): List<ListedFaq, QuestionSort> {
  return {
    name: "questions",
    path: "/admin/questions",
    csvPath: "/admin/questions.csv",
    rows: "questions",
    sorts: ["place", "question"],
    defaultSort: "place",
    keyOf: ({ id }) => id,
    nameOf: ({ question }) => question,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Words of question or answer" },
      {
        name: "brand",
        label: "Whose",
        kind: "choice",
        choices: [{ value: "shared", label: "Every brand’s" }, ...choicesOf(brands)],
      },
      { name: "category", label: "Subject", kind: "choice", choices: choicesOf(categories) },
    ],
    columns: [
      {
        key: "question",
        label: "Question",
        sort: "question",
        cell: ({ id, question }) => <a href={`/admin/questions/${id}`}>{question}</a>,
        csv: ({ question }) => question,
      },
      {
        key: "category",
        label: "Subject",
        sort: "place",
        cell: ({ category }) => category,
        csv: ({ category }) => category,
      },
      {
        key: "place",
        label: "Place",
        isNumber: true,
        cell: ({ position }) => position,
        csv: ({ position }) => position,
      },
      {
        key: "brand",
        label: "Whose",
        cell: ({ brandName }) => (brandName === null ? "every brand’s" : <Badge tone="good">{brandName}</Badge>),
        csv: ({ brandName }) => brandName ?? "every brand’s",
      },
      { key: "feature", label: "Only with", cell: ({ feature }) => feature, csv: ({ feature }) => feature },
    ],
  };
}
