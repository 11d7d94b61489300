import type {
  KindCounts,
  ListedOffer,
  OfferCard,
  OfferKind,
  OfferSort,
} from "@farthing/core/catalogue/catalogue-view.ts";
import { countPages, OFFERS_PER_PAGE } from "@farthing/core/catalogue/rules.ts";
import { href } from "react-router";
import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";
import { activeFilters, ListTools } from "../../ui/lists/list-tools.tsx";
import { sortInPath, sortSelect } from "../../ui/lists/offer-sorts.ts";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { kindInPath } from "../../ui/cards/offer-kinds.ts";
import { Pager } from "../../ui/lists/pager.tsx";

export interface RetailerOfferList<Offer = OfferCard> {
  offers: Offer[];
  kind: OfferKind | null;
  kinds: KindCounts;
  sort: OfferSort;
  /** The number of offers of the kind that is shown. */
  total: number;
  page: number;
  pageCount: number;
}

/**
 * Returns one page of a retailer's live offers, of one kind if `kind` is given. `all` is in the order of "popular". An unknown kind shows all; a page
 * beyond the last shows the last.
 */
export function pageOfOffers(
  all: readonly ListedOffer[],
  { kind, sort, page }: { kind: OfferKind | null; sort: OfferSort; page: number },
): RetailerOfferList<ListedOffer> {
  const kinds: KindCounts = {};
  for (const offer of all) kinds[offer.kind] = (kinds[offer.kind] ?? 0) + 1;
  const shownKind = kind && kinds[kind] ? kind : null;
  const offers = sorted(shownKind ? all.filter((offer) => offer.kind === shownKind) : all, sort);
  const pageCount = countPages(offers.length);
  const shownPage = Math.min(page, pageCount);
  const from = (shownPage - 1) * OFFERS_PER_PAGE;
  return {
    offers: offers.slice(from, from + OFFERS_PER_PAGE),
    kind: shownKind,
    kinds,
    sort,
    total: offers.length,
    page: shownPage,
    pageCount,
  };
}

/** Returns the offers in an order; among equals in the order of the list. Those without an end are the last to end. */
function sorted(offers: readonly ListedOffer[], sort: OfferSort): readonly ListedOffer[] {
  if (sort === "popular") return offers;
  const ends = ({ endsAt }: ListedOffer) => endsAt?.getTime() ?? Number.MAX_VALUE;
  return offers.toSorted((one, other) =>
    sort === "newest" ? other.startsAt.getTime() - one.startsAt.getTime() : ends(one) - ends(other),
  );
}

/** Fewer offers than this need no filter. */
const MIN_OFFERS_FOR_FILTER = 7;

/** All live offers of a retailer (D3), in pages where there are many. */
export function RetailerOffers({ slug, list, now }: { slug: string; list: RetailerOfferList; now: Date }) {
  const { offers, kind, kinds, sort, total, page, pageCount } = list;
  if (total === 0) return null;
  const path = href("/retailers/:slug", { slug: slug });
  const parameters: ListParameters = { kind: kindInPath(kind), sort: sortInPath(sort) };
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
          selects={pageCount > 1 ? [sortSelect] : []}
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
