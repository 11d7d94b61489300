import type { OfferSort } from "@farthing/core/catalogue/catalogue-view.ts";
import { offerSortSchema, pageSchema, slugSchema } from "@farthing/core/catalogue/schema.ts";
import { data } from "react-router";
import { pageHandle } from "../../page-handle.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { CollapsibleText } from "../../ui/collapsible-text.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { OfferGrid } from "../../ui/offer-card.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { pagePath } from "../../ui/page-path.ts";
import { Pager } from "../../ui/pager.tsx";
import { offerCount } from "../../ui/retailer-tile.tsx";
import { SortForm } from "../../ui/sort-form.tsx";
import type { Route } from "./+types/category-page";

export const handle = pageHandle("categories", "show");

const sortWords: Readonly<Record<OfferSort, string>> = {
  popular: "Most popular",
  newest: "Newest",
  ending: "Ending soonest",
};

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { now: clock } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const { searchParams } = new URL(request.url);
  const slug = slugSchema.parse(params.slug);
  const now = clock();
  const category =
    slug &&
    (await context.get(catalogueContext).findCategoryPage({
      brandId: brand.id,
      now,
      slug,
      sort: offerSortSchema.parse(searchParams.get("sort")),
      page: pageSchema.parse(searchParams.get("page")),
    }));
  if (!category) throw data(null, { status: 404 });
  return { category, now };
}

export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, now } = loaderData;
  const { slug, name, body, sort, page, pageCount, total, offers } = category;
  const path = `/categories/${slug}`;
  const pathOf = (number: number) =>
    pagePath(path, { sort: sort === "popular" ? null : sort, page: number === 1 ? null : number });
  return (
    <div className="wrap page">
      <PageHead
        title={page > 1 ? `${name}, page ${page}` : name}
        description={body || `Cashback and codes: ${name}.`}
        path={pathOf(page)}
      />
      <header className="category-head">
        <div>
          <h1 className="display page-title">{name}</h1>
          {body && <CollapsibleText text={body} />}
        </div>
        <img src={`/art/categories/${slug}.svg`} alt="" width={320} height={200} />
      </header>
      {total === 0 ? (
        <EmptyState title="Nothing here just now">
          <p>There are no live offers in {name}. New ones come in every day.</p>
          <p className="button-row">
            <a className="button" href="/">
              See what is popular
            </a>
            <a className="button is-quiet" href="/retailers">
              All retailers
            </a>
          </p>
        </EmptyState>
      ) : (
        <>
          <div className="list-head">
            <p className="soft" id="results">
              {offerCount(total)}
            </p>
            <SortForm sort={sort} choices={sortWords} />
          </div>
          <h2 className="visually-hidden">Offers</h2>
          <OfferGrid offers={offers} now={now} />
          <Pager page={page} pageCount={pageCount} pathOf={pathOf} />
        </>
      )}
    </div>
  );
}
