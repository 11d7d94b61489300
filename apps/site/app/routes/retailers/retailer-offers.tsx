import type { KindCounts, ListedOffer, OfferCard, OfferKind } from "@farthing/core/catalogue/catalogue-view.ts";
import { countPages, OFFERS_PER_PAGE } from "@farthing/core/catalogue/rules.ts";
import { href } from "react-router";
import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";
import { activeFilters, ListTools } from "../../ui/lists/list-tools.tsx";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { kindInPath } from "../../ui/cards/offer-kinds.ts";
import { Pager } from "../../ui/lists/pager.tsx";

export interface RetailerOfferList<Offer = OfferCard> {
  offers: Offer[];
  kind: OfferKind | null;
  kinds: KindCounts;
  /** The number of offers of the kind that is shown. */
  total: number;
  page: number;
  pageCount: number;
}

/**
 * Returns one page of a retailer's live offers, of one kind if `kind` is given. An unknown kind shows all; a page
 * beyond the last shows the last.
 */
export function pageOfOffers(
  all: readonly ListedOffer[],
  { kind, page }: { kind: OfferKind | null; page: number },
): RetailerOfferList<ListedOffer> {
  const kinds: KindCounts = {};
  for (const offer of all) kinds[offer.kind] = (kinds[offer.kind] ?? 0) + 1;
  const shownKind = kind && kinds[kind] ? kind : null;
  const offers = shownKind ? all.filter((offer) => offer.kind === shownKind) : all;
  const pageCount = countPages(offers.length);
  const shownPage = Math.min(page, pageCount);
  const from = (shownPage - 1) * OFFERS_PER_PAGE;
  return {
    offers: offers.slice(from, from + OFFERS_PER_PAGE),
    kind: shownKind,
    kinds,
    total: offers.length,
    page: shownPage,
    pageCount,
  };
}

/** Fewer offers than this need no filter. */
const MIN_OFFERS_FOR_FILTER = 7;

/** All live offers of a retailer (D3), in pages where there are many. */
export function RetailerOffers({ slug, list, now }: { slug: string; list: RetailerOfferList; now: Date }) {
  const { offers, kind, kinds, total, page, pageCount } = list;
  if (total === 0) return null;
  const path = href("/retailers/:slug", { slug: slug });
  const parameters: ListParameters = { kind: kindInPath(kind) };
  const all = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return (
    <section aria-labelledby="offers">
      <h2 id="offers" className="display section-title">
        {all === 1 ? "One live offer" : `${all} live offers`}
      </h2>
      {all >= MIN_OFFERS_FOR_FILTER && (
        <ListTools
          path={path}
          parameters={parameters}
          kinds={kinds}
          selects={[]}
          active={activeFilters(parameters, { kind, minBp: null })}
        />
      )}
      <OfferGrid offers={offers} now={now} isRetailerKnown />
      <Pager
        page={page}
        pageCount={pageCount}
        pathOf={(number) => listPath(path, parameters, { page: number === 1 ? null : String(number) })}
      />
    </section>
  );
}
