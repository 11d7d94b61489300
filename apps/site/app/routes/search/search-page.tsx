import type { SearchPage as SearchPageView } from "@farthing/core/catalogue/catalogue-view.ts";
import { pageSchema } from "@farthing/core/catalogue/schema.ts";
import { querySchema, searchSortSchema } from "@farthing/core/search/schema.ts";
import { pageHandle } from "../../page-handle.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { CategoryChips } from "../../ui/category-tile.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { OfferGrid } from "../../ui/offer-card.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { pagePath } from "../../ui/page-path.ts";
import { Pager } from "../../ui/pager.tsx";
import { RetailerList, toRetailerRow } from "../../ui/retailer-list.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { SortForm } from "../../ui/sort-form.tsx";
import type { Route } from "./+types/search-page";

export const handle = pageHandle("search", "index", { bringsSearch: true });

const sortWords: Readonly<Record<SearchPageView["sort"], string>> = {
  relevance: "Best match",
  popular: "Most popular",
  newest: "Newest",
  ending: "Ending soonest",
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const catalogue = context.get(catalogueContext);
  const { now: clock } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const { searchParams } = new URL(request.url);
  const now = clock();
  const search = await catalogue.searchCatalogue({
    brandId: brand.id,
    now,
    query: querySchema.parse(searchParams.get("q")),
    sort: searchSortSchema.parse(searchParams.get("sort")),
    page: pageSchema.parse(searchParams.get("page")),
  });
  // Somewhere to go from a page that found nothing, or was asked for nothing.
  const isEmpty = search.total === 0 && search.retailers.length === 0 && search.categories.length === 0;
  return { search, now, isEmpty, ways: isEmpty ? await catalogue.listCategories({ brandId: brand.id, now }) : [] };
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { search, now, isEmpty, ways } = loaderData;
  const { query, corrected, sort, page, pageCount, total, retailers, categories, offers } = search;
  const pathOf = (number: number) =>
    pagePath("/search", { q: query, sort: sort === "relevance" ? null : sort, page: number === 1 ? null : number });
  return (
    <div className="wrap page">
      <PageHead title={query ? `Search: ${query}` : "Search"} isPrivate />
      <header className="search-head">
        <h1 className="display page-title">{query ? <>Results for “{query}”</> : "What are you looking for?"}</h1>
        <SearchForm query={query} isLarge />
      </header>
      {corrected && (
        <p className="search-corrected" role="status">
          Showing results for <b>{corrected}</b>
        </p>
      )}
      {isEmpty && (
        <EmptyState title={query ? "Nothing found" : "Search, or start from a category"}>
          {query && (
            <p>We looked for that everywhere and found nothing. Try fewer or other words, or the name of a shop.</p>
          )}
          {ways.length > 0 && <CategoryChips categories={ways.slice(0, 10)} />}
          <p className="button-row">
            <a className="button is-quiet" href="/retailers">
              All retailers, A to Z
            </a>
          </p>
        </EmptyState>
      )}
      {categories.length > 0 && (
        <section aria-labelledby="found-categories">
          <h2 id="found-categories" className="visually-hidden">
            Categories
          </h2>
          <CategoryChips categories={categories} />
        </section>
      )}
      {retailers.length > 0 && (
        <section aria-labelledby="found-retailers">
          <h2 id="found-retailers" className="display section-title">
            Retailers
          </h2>
          <RetailerList retailers={retailers.map(toRetailerRow)} />
        </section>
      )}
      {offers.length > 0 && (
        <section aria-labelledby="found-offers">
          <div className="section-head">
            <h2 id="found-offers" className="display section-title">
              {total === 1 ? "1 offer" : `${search.totalIsMinimum ? "More than " : ""}${total} offers`}
            </h2>
            {total > 1 && <SortForm sort={sort} choices={sortWords} keeps={{ q: query }} />}
          </div>
          <OfferGrid offers={offers} now={now} />
          <Pager page={page} pageCount={pageCount} pathOf={pathOf} />
        </section>
      )}
    </div>
  );
}
