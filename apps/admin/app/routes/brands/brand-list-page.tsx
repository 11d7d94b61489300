import { brandList, type ListedBrand } from "@farthing/core/brands/brand-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { brandListing } from "./brand-list.tsx";
import type { Route } from "./+types/brand-list-page";

export async function loader(args: Route.LoaderArgs) {
  const list = await loadList<ListedBrand, "name" | "created">(args, brandListing, brandList);
  return { list, mayChange: may(args.context.get(operatorContext).role, "brands.change") };
}

export default function BrandListPage({ loaderData: { list, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Brands"
        intro="The clubs of this deployment. Each has its own members, host names, look and texts."
      >
        {mayChange && (
          <a className="button is-main" href="/admin/brands/new">
            New brand
          </a>
        )}
      </PageHead>
      <ListScreen
        list={brandListing}
        loaded={list}
        empty={<p>There is no brand yet: nobody can open the site. Make the first one.</p>}
      />
    </>
  );
}
