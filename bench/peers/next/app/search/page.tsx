import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import type { MenuItem } from "@farthing/core/brands/brand.ts";
import { SearchForm, SelectForm } from "../../client-parts.tsx";
import { selects } from "../../list-selects.ts";
import { OfferGrid, Pager, RetailerGrid } from "../../parts.tsx";
import { db, findVisit } from "../../visit.ts";

export default async function Page({ searchParams }: { searchParams: Promise<{ q?: string }> }) {
  const { q = "" } = await searchParams;
  const { brand, now } = await findVisit();
  const { query, total, retailers, offers } = await searchCatalogue(db, {
    brandId: brand.id,
    now,
    query: q,
    sort: "relevance",
    page: 1,
  });
  const { menu } = brand;
  return (
    <div className="wrap page">
      <header className="search-head">
        <h1 className="display page-title">Results for “{query}”</h1>
        <SearchForm query={query} isLarge />
      </header>
      <RetailerGrid retailers={retailers} />
      <h2 className="display section-title">{total} offers</h2>
      <div className="list-tools">
        <SelectForm path="/search" selects={[categorySelect(menu), ...selects]} />
      </div>
      <OfferGrid offers={offers} now={now} />
      <Pager path={`/search?q=${encodeURIComponent(q)}&`} page={1} pages={Math.max(1, Math.ceil((total ?? 0) / 24))} />
    </div>
  );
}

function categorySelect(menu: MenuItem[]) {
  const categories = menu.flatMap(({ items = [] }) => items);
  return {
    name: "category",
    label: "Category",
    choices: [
      ["", "All categories"] as const,
      ...[...new Map(categories.map(({ href, label }) => [href, label]))].map(
        ([href, label]) => [href.split("/").at(-1) ?? "", label] as const,
      ),
    ],
  };
}
