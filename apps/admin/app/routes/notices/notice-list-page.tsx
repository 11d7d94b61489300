import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { noticeList, type ListedNotice } from "@farthing/core/notices/notice-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { Notice } from "../../kit/facts.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { noticeListing, type NoticeSort } from "./notice-list.tsx";
import type { Route } from "./+types/notice-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const brands = (await listBrands(db)).map(({ slug, name }) => ({ slug, name }));
  const moment = now();
  const list = await loadList<ListedNotice, NoticeSort>(args, noticeListing(brands, moment), noticeList);
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
