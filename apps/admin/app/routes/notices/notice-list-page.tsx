import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { noticeList, type ListedNotice } from "@farthing/core/notices/notice-records.server.ts";
import { holds, noticeWords } from "@farthing/core/notices/rules.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Badge, Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { Moment } from "../../kit/moment.tsx";
import { brandChoices, kindChoices, type Named } from "./notice-fields.tsx";
import type { Route } from "./+types/notice-list-page";

type Sort = "since" | "title";

function noticeListing(brands: readonly Named[], now: Date): List<ListedNotice, Sort> {
  return {
    name: "notices",
    path: "/admin/notices",
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
      },
      { key: "kind", label: "What it is", cell: ({ kind }) => noticeWords[kind] },
      { key: "brand", label: "Who sees it", cell: ({ brandName }) => brandName ?? "every brand’s visitors" },
      { key: "since", label: "Since", sort: "since", cell: ({ since }) => <Moment at={since} /> },
      { key: "until", label: "Until", cell: ({ until }) => (until ? <Moment at={until} /> : "it is ended") },
      {
        key: "now",
        label: "Now",
        cell: (notice) =>
          holds(notice, now) ? <Badge tone="warn">shown</Badge> : notice.since > now ? "to come" : "past",
      },
    ],
  };
}

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const brands = (await listBrands(db)).map(({ slug, name }) => ({ slug, name }));
  const moment = now();
  const list = await loadList<ListedNotice, Sort>(args, noticeListing(brands, moment), noticeList);
  return {
    ...{ list, brands, now: moment, isDone: new URL(args.request.url).searchParams.has("done") },
    mayChange: may(args.context.get(operatorContext).role, "brands.change"),
  };
}

export default function NoticeListPage({ loaderData }: Route.ComponentProps) {
  const { list, brands, now, isDone, mayChange } = loaderData;
  return (
    <>
      <PageHead
        title="Notices"
        intro="Planned work and trouble, in words for members: on the status page, and at the top of every page while they hold."
      >
        {mayChange && (
          <a className="button is-main" href="/admin/notices/new">
            New notice
          </a>
        )}
      </PageHead>
      {isDone && <Notice tone="good">Done. The sites show it.</Notice>}
      <ListScreen list={noticeListing(brands, now)} loaded={list} empty={<p>There is no notice yet.</p>} />
    </>
  );
}
