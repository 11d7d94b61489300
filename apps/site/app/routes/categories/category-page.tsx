import { slugSchema } from "@farthing/core/catalogue/schema.ts";
import { data, href } from "react-router";
import type { OwnPageVariables } from "../../../server/page-variables.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { CollapsibleText } from "../../ui/text/collapsible-text.tsx";
import { Crumbs } from "../../ui/lists/crumbs.tsx";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { ListFacts } from "../../ui/lists/list-facts.tsx";
import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";
import { activeFilters, ListTools } from "../../ui/lists/list-tools.tsx";
import { sortInPath, sortSelect } from "../../ui/lists/offer-sorts.ts";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { kindInPath, rateSelect } from "../../ui/cards/offer-kinds.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { offerCount } from "../../ui/lists/retailer-row.ts";
import type { Route } from "./+types/category-page";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { now: clock } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const { kind, rate: minBp, sort, page } = readParameters(request, "/categories/:slug");
  const slug = slugSchema.parse(params.slug);
  const now = clock();
  const category =
    slug &&
    (await context.get(catalogueContext).findCategoryPage({
      brandId: brand.id,
      now,
      slug,
      sort,
      page,
      kind,
      minBp,
    }));
  if (!category) throw data(null, 404);
  const pageVariables: OwnPageVariables = { CATEGORY_ID: category.slug };
  return { category, now, kind, minBp, pageVariables };
}

export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, now, kind, minBp } = loaderData;
  const { slug, name, body, kinds, sort, page, pageCount, total, offers } = category;
  const path = href("/categories/:slug", { slug: slug });
  const parameters: ListParameters = {
    kind: kindInPath(kind),
    rate: minBp ? String(minBp / 100) : null,
    sort: sortInPath(sort),
  };
  const pathOf = (number: number) => listPath(path, parameters, { page: number === 1 ? null : String(number) });
  const active = activeFilters(parameters, { kind, minBp });
  const isNarrowed = active.length > 0;
  return (
    <div
      className="wrap page"
      data-tracking="category_details"
      data-tracking-category-id={slug}
      data-tracking-offers={total}
    >
      <PageHead
        title={page > 1 ? `${name}, page ${page}` : name}
        description={body || `Cashback and codes: ${name}.`}
        path={listPath(path, {}, { page: page === 1 ? null : String(page) })}
        isPrivate={isNarrowed}
      />
      <Crumbs steps={[{ name: "Home", path: "/" }]} here={{ name, path }} />
      <ListFacts name={name} offers={offers} />
      <header className="category-head">
        <div>
          <h1 className="display page-title">{name}</h1>
          {body && <CollapsibleText text={body} />}
        </div>
        <img src={`/art/categories/${slug}.svg`} alt="" width={320} height={200} />
      </header>
      {(total > 0 || isNarrowed) && (
        <ListTools
          path={path}
          parameters={parameters}
          kinds={kinds}
          selects={[rateSelect, sortSelect]}
          active={active}
        />
      )}
      {total > 0 ? (
        <>
          <h2 className="visually-hidden">Offers</h2>
          <p className="soft list-count">
            {offerCount(total)}
            {pageCount > 1 && `, page ${page} of ${pageCount}`}
          </p>
          <OfferGrid offers={offers} now={now} />
          <Pager page={page} pageCount={pageCount} pathOf={pathOf} />
        </>
      ) : (
        <EmptyState title={isNarrowed ? "Nothing like that" : "Nothing here just now"}>
          <p>
            {isNarrowed
              ? `No live offer in ${name} fits what you chose. Take away a filter above to see more.`
              : `There are no live offers in ${name}. New ones come in every day.`}
          </p>
          <p className="button-row">
            <a className="button" href={isNarrowed ? path : "/"}>
              {isNarrowed ? `All of ${name}` : "See what is popular"}
            </a>
            <a className="button is-quiet" href="/retailers">
              All retailers
            </a>
          </p>
        </EmptyState>
      )}
    </div>
  );
}
