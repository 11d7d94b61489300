import { poolList, type ListedPool, type PoolSort } from "@farthing/core/code-pools/list-pools.server.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { poolListing } from "./pool-list.tsx";
import type { Route } from "./+types/pool-list-page";

export function loader(args: Route.LoaderArgs) {
  return loadList<ListedPool, PoolSort>(args, poolListing, poolList);
}

export default function PoolListPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Codes"
        intro="Pools of codes that are for one member each. A pool is low when too few of its codes are left."
      />
      <ListScreen
        list={poolListing}
        loaded={loaderData}
        empty={<p>No offer has a pool of codes. Open an offer to fill one.</p>}
      />
    </>
  );
}
