import { lineList, type OperatorLine } from "@farthing/core/gift-cards/list-lines.server.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { lineListing } from "./line-list.tsx";
import type { Route } from "./+types/line-list-page";

export async function loader(args: Route.LoaderArgs) {
  const { db, issuers: all } = args.context.get(servicesContext);
  const issuers = [...all.keys()];
  const { "gift-card-attempts": attempts } = await findThresholds(db);
  const list = await loadList<OperatorLine, "placed">(args, lineListing(issuers), (filters) =>
    lineList(filters, attempts),
  );
  return { issuers, list };
}

export default function LineListPage({ loaderData: { issuers, list } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Gift cards"
        intro="Each card of each order. The server gets them from their issuers and refunds what can’t be had; held ones and those that fail again and again wait for you."
      >
        <a href="/admin/gift-cards?waits=person&amp;sort=placed">Waiting for a person</a>
      </PageHead>
      <ListScreen list={lineListing(issuers)} loaded={list} empty={<p>No gift card has been ordered yet.</p>} />
    </>
  );
}
