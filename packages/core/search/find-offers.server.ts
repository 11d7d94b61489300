import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { KindCounts, OfferCard, OfferFilter, SearchPage } from "../catalogue/catalogue-view.ts";
import { offerCardColumns, toOfferCard, type OfferCardRow } from "../catalogue/offers/offer-cards.server.ts";

/** Matches are counted up to this number: with more, a visitor filters the search rather than turn twenty pages. */
export const MAX_COUNTED = 500;

export interface FoundOffers {
  /** At most MAX_COUNTED + 1, which means "more than MAX_COUNTED". */
  total: number;
  offers: OfferCard[];
  /** Lexemes of the first offer's document, which decide between several corrections. */
  found: Set<string>;
  /** Matches of each kind, whichever is requested; null where there are more than MAX_COUNTED. */
  kinds: KindCounts | null;
}

export interface OfferSearch {
  brandId: string;
  now: Date;
  /** As typed: the exact name of a retailer puts its offers first. */
  query: string;
  tsquery: string;
  sort: SearchPage["sort"];
  offset: number;
  limit: number;
  filter?: OfferFilter | undefined;
}

type FoundRow = OfferCardRow & { total: number; lexemes: string[] | null; kinds: KindCounts | null };

/**
 * Returns the offers that match, best first (D2). Up to MAX_COUNTED matches are ranked by relevance times popularity. More matches are returned by
 * popularity, read from its index until the page is full: ranking them all would be slow, and relevance distinguishes common words least.
 */
export async function findOffers(
  db: Db,
  { brandId, now, query, tsquery, sort, offset, limit, filter }: OfferSearch,
): Promise<FoundOffers> {
  const page = filter
    ? sql`search_offers_narrowed(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${sort}, ${filter.kind}::text,
        (select id from categories where slug = ${filter.category}), ${filter.minBp}::integer, ${MAX_COUNTED}, ${offset}, ${limit})`
    : sql`search_offers_page(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${sort}, ${MAX_COUNTED}, ${offset}, ${limit})`;
  // The index finds the offers; what is shown, and whether it may be shown, is read from the catalogue.
  const { rows } = await sql<FoundRow>`${keepPlan}
    select page.total, page.lexemes, page.kinds, ${offerCardColumns}
    from ${page} page
    left join (live_offers(${brandId}, ${now}) o join retailers r on r.id = o.retailer_id) on o.id = page.offer_id
    order by page.place`.execute(db);
  const offers = rows.filter(({ public_id }) => public_id !== null); // the row that only counts, and offers removed since the indexing
  return {
    total: rows[0]?.total ?? 0,
    offers: offers.map(toOfferCard),
    found: new Set(offers[0]?.lexemes ?? []),
    kinds: rows[0]?.kinds ?? null,
  };
}
