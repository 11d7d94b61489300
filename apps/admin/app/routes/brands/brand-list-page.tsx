import { brandList, type ListedBrand } from "@farthing/core/brands/brand-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext } from "../../admin-context.ts";
import { ListScreen } from "../../kit/list-screen.tsx";
import type { List } from "../../kit/list.ts";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/brand-list-page";

const brandListing: List<ListedBrand, "name" | "created"> = {
  name: "brands",
  path: "/admin/brands",
  rows: "brands",
  sorts: ["name", "created"],
  defaultSort: "name",
  keyOf: ({ slug }) => slug,
  nameOf: ({ name }) => name,
  filters: [{ name: "q", label: "Find", kind: "text", placeholder: "Name, short name or host" }],
  columns: [
    {
      key: "name",
      label: "Brand",
      sort: "name",
      cell: ({ slug, name }) => <a href={`/admin/brands/${slug}`}>{name}</a>,
    },
    { key: "audience", label: "For", cell: ({ audience }) => audience },
    {
      key: "host",
      label: "Main host",
      cell: ({ mainHost, hosts }) => (
        <>
          {mainHost ?? "none"} {hosts > 1 && <span className="soft">and {hosts - 1} more</span>}
        </>
      ),
    },
    { key: "theme", label: "Theme", cell: ({ theme }) => theme },
    { key: "retailers", label: "Retailers", isNumber: true, cell: ({ retailers }) => retailers },
    { key: "created", label: "Since", sort: "created", cell: ({ createdAt }) => <Moment at={createdAt} isDay /> },
    { key: "updated", label: "Changed", cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
  ],
};

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
