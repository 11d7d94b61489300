import { operatorList, type ListedOperator } from "@farthing/core/operators/queries.server.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { operatorListing } from "./operator-list.tsx";
import type { Route } from "./+types/operator-list-page";

export function loader(args: Route.LoaderArgs) {
  return loadList<ListedOperator, "name" | "created">(args, operatorListing, operatorList);
}

export default function OperatorListPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Operators" intro="Who may run the club, and what each may do.">
        <a className="button is-main" href="/admin/operators/new">
          Invite an operator
        </a>
      </PageHead>
      <ListScreen list={operatorListing} loaded={loaderData} empty={<p>There is no operator yet.</p>} />
    </>
  );
}
