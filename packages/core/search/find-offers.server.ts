import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { KindCounts, OfferCard, OfferFilter, SearchPage } from "../catalogue/catalogue-view.ts";
import { offerCardColumns, toOfferCard, type OfferCardRow } from "../catalogue/offers/offer-cards.server.ts";

/** Counting stops here: beyond it a visitor narrows the search rather than turn twenty pages, and the database is spared the rest. */
export const MAX_COUNTED = 500;

export interface FoundOffers {
  /** At most MAX_COUNTED + 1, which means "more than MAX_COUNTED". */
  total: number;
  offers: OfferCard[];
  /** Lexemes of the first offer's document: tells which of several corrections was meant. */
  found: Set<string>;
  /** Matches of each kind, whichever is asked for; null where there are more than MAX_COUNTED. */
  kinds: KindCounts | null;
}

export interface OfferSearch {
  brandId: string;
  now: Date;
  /** As typed; an exact retailer's name puts that retailer's offers first. */
  query: string;
  tsquery: string;
  sort: SearchPage["sort"];
  offset: number;
  limit: number;
  filter?: OfferFilter | undefined;
}

type FoundRow = OfferCardRow & { total: number; lexemes: string[] | null; kinds: KindCounts | null };

/**
 * The offers that match, best first (D2). Up to MAX_COUNTED matches are gathered and ranked by relevance times popularity. With
 * more, ranking them all is what would make common words slow, and relevance tells them apart least: they come in the order of their
 * popularity, read from its index until the page is full, which with so many matches is soon.
 */
export async function findOffers(
  db: Db,
  { brandId, now, query, tsquery, sort, offset, limit, filter }: OfferSearch,
): Promise<FoundOffers> {
  const page = filter
    ? sql`search_offers_narrowed(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${sort}, ${filter.kind}::text,
        (select id from categories where slug = ${filter.category}), ${filter.minBp}::integer, ${MAX_COUNTED}, ${offset}, ${limit})`
    : sql`search_offers_page(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${sort}, ${MAX_COUNTED}, ${offset}, ${limit})`;
  // The index says which; what is shown, and whether it may be shown, is read from the catalogue itself.
  const { rows } = await sql<FoundRow>`${keepPlan}
    select page.total, page.lexemes, page.kinds, ${offerCardColumns}
    from ${page} page
    left join (live_offers(${brandId}, ${now}) o join retailers r on r.id = o.retailer_id) on o.id = page.offer_id
    order by page.place`.execute(db);
  const offers = rows.filter(({ public_id }) => public_id !== null); // the row that only counts, and what went since the index was made
  return {
    total: rows[0]?.total ?? 0,
    offers: offers.map(toOfferCard),
    found: new Set(offers[0]?.lexemes ?? []),
    kinds: rows[0]?.kinds ?? null,
  };
}
