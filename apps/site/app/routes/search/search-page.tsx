import type { SearchPage as SearchPageView } from "@farthing/core/catalogue/catalogue-view.ts";
import { href } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { CategoryChips } from "../../ui/cards/category-tile.tsx";
import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";
import { activeFilters, ListTools } from "../../ui/lists/list-tools.tsx";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { kindInPath, rateSelect } from "../../ui/cards/offer-kinds.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { RetailerList } from "../../ui/lists/retailer-list.tsx";
import { stoppedWords, toRetailerRow } from "../../ui/lists/retailer-row.ts";
import { SearchForm } from "../../ui/search/search-form.tsx";
import { findOwnPage } from "./own-page.ts";
import { SearchEmpty } from "./search-empty.tsx";
import { SearchTabs, type SearchShow } from "./search-tabs.tsx";
import type { Route } from "./+types/search-page";

const sorts: readonly (readonly [SearchPageView["sort"] | "", string])[] = [
  ["", "Best match"],
  ["popular", "Most popular"],
  ["newest", "Newest"],
  ["ending", "Ending soonest"],
];

const oneOf = (words: string[]) => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);

export async function loader({ context, request }: Route.LoaderArgs) {
  const catalogue = context.get(catalogueContext);
  const { now: clock } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const asked = readParameters(request, "/search");
  const now = clock();
  const categories = await catalogue.listCategories({ brandId: brand.id, now });
  const category = categories.find(({ slug }) => slug === asked.category) ?? null;
  const filter = {
    kind: asked.kind,
    category: category?.slug ?? null,
    minBp: asked.rate,
  };
  const isNarrowed = filter.kind !== null || filter.category !== null || filter.minBp !== null;
  const show: SearchShow = asked.show ?? "all";
  const search = await catalogue.searchCatalogue({
    brandId: brand.id,
    now,
    query: asked.q,
    sort: asked.sort,
    // The pages of the part for retailers are its own: they come with the first page of offers.
    ...(show === "retailers" ? { page: 1, retailerPage: asked.page } : { page: asked.page }),
    ...(isNarrowed && { filter }),
  });
  const isEmpty = search.total === 0 && search.retailers.length === 0 && search.categories.length === 0;
  return {
    search: { ...search, retailers: search.retailers.map(toRetailerRow) },
    now,
    filter,
    isNarrowed,
    show,
    category,
    isEmpty: isEmpty && (!isNarrowed || search.didYouMean !== null),
    /** By what was typed first: a correction leaves out words that find no offer, such as “missing”. */
    ownPage: findOwnPage(search.query, brand.features) ?? findOwnPage(search.corrected ?? "", brand.features),
    /** For the filter, and as links on a page without results or without a query. */
    categories: categories.map(({ slug, name }) => ({ slug, name })),
  };
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { search, now, filter, isNarrowed, show, category, isEmpty, ownPage, categories } = loaderData;
  const { query, corrected, leftOut, sort, page, pageCount, total, totalIsMinimum, kinds, retailers, offers } = search;
  const { retailerTotal, retailersAreMore, retailerPage, retailerPageCount } = search;
  const parameters: ListParameters = {
    q: query,
    show: show === "all" ? null : show,
    kind: kindInPath(filter.kind),
    category: filter.category,
    rate: filter.minBp ? String(filter.minBp / 100) : null,
    sort: sort === "relevance" ? null : sort,
  };
  const pathOf = (number: number) => listPath("/search", parameters, { page: number === 1 ? null : String(number) });
  const categorySelect = {
    name: "category",
    label: "Category",
    choices: [["", "All categories"] as const, ...categories.map(({ slug, name }) => [slug, name] as const)],
  };
  const sortSelect = { name: "sort", label: "Sort by", choices: sorts };
  return (
    <div
      className="wrap page"
      data-tracking={query ? "search_results" : undefined}
      data-tracking-term={query || undefined}
      data-tracking-offers={query ? total : undefined}
    >
      <PageHead
        title={query ? `Search: ${query}` : "Search"}
        description={describeFound(search)}
        path={listPath("/search", { q: query }, { page: page === 1 ? null : String(page) })}
        // Empty results, and filters over the same results, should not be indexed.
        isPrivate={isEmpty || isNarrowed || show !== "all"}
      />
      <header className="search-head">
        <h1 className="display page-title">{query ? <>Results for “{query}”</> : "What are you looking for?"}</h1>
        <SearchForm query={query} isLarge />
      </header>
      {search.stopped && (
        <p className="search-own-page" role="status">
          <a href={href("/retailers/:slug", { slug: search.stopped.slug })}>
            {search.stopped.name} {stoppedWords[search.stopped.status]}
          </a>
        </p>
      )}
      {ownPage && (
        <p className="search-own-page">
          Looking for <a href={ownPage.href}>{ownPage.label}</a>?
        </p>
      )}
      {corrected && (
        <p className="search-corrected" role="status">
          Showing results for <b>{corrected}</b>
          {leftOut.length > 0 && `, without ${oneOf(leftOut.map((word) => `“${word}”`))}`}
        </p>
      )}
      {isEmpty ? (
        <SearchEmpty query={query} didYouMean={search.didYouMean} categories={categories} />
      ) : (
        <SearchTabs
          parameters={parameters}
          show={show}
          offers={total}
          offersAreMore={totalIsMinimum === true}
          retailers={retailerTotal}
          retailersAreMore={retailersAreMore}
        />
      )}
      {show === "all" && search.categories.length > 0 && (
        <section aria-labelledby="found-categories">
          <h2 id="found-categories" className="visually-hidden">
            Categories
          </h2>
          <CategoryChips categories={search.categories} />
        </section>
      )}
      {show !== "offers" && retailers.length > 0 && (
        <section aria-labelledby="found-retailers">
          <h2 id="found-retailers" className="display section-title">
            Retailers
          </h2>
          <RetailerList retailers={retailers} />
          <Pager page={retailerPage} pageCount={retailerPageCount} pathOf={pathOf} />
          {show === "retailers" && retailersAreMore && retailerPage === retailerPageCount && (
            <p className="soft">
              These are the {retailerTotal} that fit best. <a href={href("/retailers")}>All retailers from A to Z</a>
            </p>
          )}
          {show === "all" && retailersAreMore && (
            <p className="button-row">
              <a className="button is-quiet" href={listPath("/search", parameters, { show: "retailers" })}>
                More retailers
              </a>
            </p>
          )}
        </section>
      )}
      {show !== "retailers" && !isEmpty && (total > 0 || isNarrowed) && (
        <section aria-labelledby="found-offers">
          <h2 id="found-offers" className="display section-title">
            {offersFound(total, totalIsMinimum === true)}
          </h2>
          <ListTools
            path="/search"
            parameters={parameters}
            kinds={kinds}
            selects={[categorySelect, rateSelect, ...(total > 1 ? [sortSelect] : [])]}
            active={activeFilters(parameters, { ...filter, category: category?.name ?? null })}
          />
          {total === 0 && (
            <p className="search-nothing">
              No offer for “{query}” fits what you chose. Take away a filter to see more.
            </p>
          )}
          <OfferGrid offers={offers} now={now} />
          <Pager page={page} pageCount={pageCount} pathOf={pathOf} />
        </section>
      )}
    </div>
  );
}

function describeFound({
  query,
  total,
  totalIsMinimum,
  retailers,
}: {
  query: string;
  total: number;
  totalIsMinimum?: boolean;
  retailers: readonly { name: string }[];
}): string {
  const names = retailers.slice(0, 3).map(({ name }) => name);
  const shops = names.length > 0 ? ` Shops: ${names.join(", ")}.` : "";
  return `Cashback and codes for “${query}”: ${offersFound(total, totalIsMinimum === true).toLowerCase()}.${shops}`;
}

function offersFound(total: number, isMinimum: boolean): string {
  return total === 1 ? "1 offer" : `${isMinimum ? "More than " : ""}${total} offers`;
}
