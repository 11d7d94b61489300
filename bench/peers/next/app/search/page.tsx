import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import { SearchForm } from "../../client-parts.tsx";
import { OfferGrid, RetailerGrid } from "../../parts.tsx";
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
  return (
    <div className="wrap page">
      <header className="search-head">
        <h1 className="display page-title">Results for “{query}”</h1>
        <SearchForm query={query} isLarge />
      </header>
      <RetailerGrid retailers={retailers} />
      <h2 className="display section-title">{total} offers</h2>
      <OfferGrid offers={offers} now={now} />
    </div>
  );
}
