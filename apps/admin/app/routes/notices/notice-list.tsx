import type { ListedNotice } from "@farthing/core/notices/notice-records.server.ts";
import { holds, noticeWords } from "@farthing/core/notices/rules.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { brandChoices, kindChoices, type Named } from "./notice-fields.tsx";

export type NoticeSort = "since" | "title";

const EVERYBODY = "every brand’s visitors";

export function noticeListing(brands: readonly Named[], now: Date): List<ListedNotice, NoticeSort> {
  return {
    name: "notices",
    path: "/admin/notices",
    csvPath: "/admin/notices.csv",
    rows: "notices",
    sorts: ["since", "title"],
    defaultSort: "-since",
    keyOf: ({ id }) => id,
    nameOf: ({ title }) => title,
    filters: [
      {
        name: "brand",
        label: "Who sees it",
        kind: "choice",
        choices: [{ value: "shared", label: "Every brand’s visitors" }, ...brandChoices(brands)],
      },
      { name: "kind", label: "What it is", kind: "choice", choices: kindChoices },
    ],
    columns: [
      {
        key: "title",
        label: "Title",
        sort: "title",
        cell: ({ id, title }) => <a href={`/admin/notices/${id}`}>{title}</a>,
        csv: ({ title }) => title,
      },
      { key: "kind", label: "What it is", cell: ({ kind }) => noticeWords[kind], csv: ({ kind }) => noticeWords[kind] },
      {
        key: "brand",
        label: "Who sees it",
        cell: ({ brandName }) => brandName ?? EVERYBODY,
        csv: ({ brandName }) => brandName ?? EVERYBODY,
      },
      {
        key: "since",
        label: "Since",
        sort: "since",
        cell: ({ since }) => <Moment at={since} />,
        csv: ({ since }) => since,
      },
      {
        key: "until",
        label: "Until",
        cell: ({ until }) => (until ? <Moment at={until} /> : "it is ended"),
        csv: ({ until }) => until,
      },
      {
        key: "now",
        label: "Now",
        cell: (notice) =>
          holds(notice, now) ? <Badge tone="warn">{stateAt(notice, now)}</Badge> : stateAt(notice, now),
        csv: (notice) => stateAt(notice, now),
      },
    ],
  };
}

function stateAt(notice: ListedNotice, now: Date): "shown" | "to come" | "past" {
  if (holds(notice, now)) return "shown";
  return notice.since > now ? "to come" : "past";
}
