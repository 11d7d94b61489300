import { readParameters } from "../../../server/page-parameters.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";
import { activeFilters, ListTools } from "../../ui/lists/list-tools.tsx";
import { kindInPath, rateSelect } from "../../ui/cards/offer-kinds.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { Pager } from "../../ui/lists/pager.tsx";
import { RetailerList } from "../../ui/lists/retailer-list.tsx";
import { toRetailerRow } from "../../ui/lists/retailer-row.ts";
import { groupByLetter, letterName } from "./letters.ts";
import { LetterNav } from "./letter-nav.tsx";
import type { Route } from "./+types/retailer-list-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { findRetailersAToZ, listCategories } = context.get(catalogueContext);
  const { now: clock } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const asked = readParameters(request, "/retailers");
  const now = clock();
  const categories = await listCategories({ brandId: brand.id, now });
  const category = categories.find(({ slug }) => slug === asked.category) ?? null;
  const filter = {
    kind: asked.kind,
    category: category?.slug ?? null,
    minBp: asked.rate,
  };
  const found = await findRetailersAToZ({
    brandId: brand.id,
    now,
    letter: asked.letter,
    page: asked.page,
    filter,
  });
  const { letter, page, pageCount } = found;
  return {
    letters: found.letters,
    /** Of all letters. */
    total: found.letters.reduce((sum, { retailers }) => sum + retailers, 0),
    letter,
    page,
    pageCount,
    retailers: found.retailers.map(toRetailerRow),
    filter,
    category: category?.name ?? null,
    categories: categories.map(({ slug, name }) => ({ slug, name })),
  };
}

export default function RetailerListPage({ loaderData }: Route.ComponentProps) {
  const { letters, letter, total, page, pageCount, retailers, filter, category, categories } = loaderData;
  const parameters: ListParameters = {
    letter,
    category: filter.category,
    kind: kindInPath(filter.kind),
    rate: filter.minBp ? String(filter.minBp / 100) : null,
  };
  const pathOf = (number: number) => listPath("/retailers", parameters, { page: number === 1 ? null : String(number) });
  const active = activeFilters(parameters, { ...filter, category });
  const categorySelect = {
    name: "category",
    label: "Category",
    choices: [["", "All categories"] as const, ...categories.map(({ slug, name }) => [slug, name] as const)],
  };
  const isWhole = letter === null && pageCount === 1;
  return (
    <div className="wrap page">
      <PageHead
        title={letter ? `Retailers: ${letterName(letter)}` : "Retailers A to Z"}
        description="Every shop where you earn cashback or get a code, from A to Z."
        path={listPath("/retailers", { letter }, { page: page === 1 ? null : String(page) })}
        isPrivate={active.length > 0}
      />
      <header className="page-head">
        <h1 className="display page-title">Retailers, A to Z</h1>
        <p className="soft">
          {total === 1 ? "1 shop" : `${total} shops`}
          {active.length > 0 ? " for what you chose." : " with cashback, codes or deals for you."}
        </p>
      </header>
      <ListTools
        path="/retailers"
        parameters={parameters}
        kinds={null}
        selects={[categorySelect, rateSelect]}
        active={active}
      />
      {total === 0 ? (
        <EmptyState title={active.length > 0 ? "No shop like that" : "No retailers yet"}>
          <p>
            {active.length > 0
              ? "No shop fits all of what you chose. Take away a filter above to see more."
              : "Look in again soon."}
          </p>
          {active.length > 0 && (
            <p className="button-row">
              <a className="button" href="/retailers">
                All retailers
              </a>
            </p>
          )}
        </EmptyState>
      ) : (
        <>
          <LetterNav letters={letters} letter={letter} parameters={parameters} isWhole={isWhole} />
          {retailers.length === 0 && letter && <p className="letter-none">No shop begins with {letterName(letter)}.</p>}
          {groupByLetter(retailers).map(([name, group]) => (
            <section
              key={name}
              id={`letter-${name}`}
              className="letter-section"
              aria-labelledby={`letter-${name}-title`}
              tabIndex={-1}
            >
              <h2 className="display" id={`letter-${name}-title`}>
                {letterName(name)}
              </h2>
              <RetailerList retailers={group} />
            </section>
          ))}
          <Pager page={page} pageCount={pageCount} pathOf={pathOf} />
        </>
      )}
    </div>
  );
}
