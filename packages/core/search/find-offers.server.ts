import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
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
  /** The words of `tsquery` that the index is asked for; null: all of them. */
  rareTsquery: string | null;
  /** Whether there were more matches than are counted when the catalogue was last indexed. */
  isCommon: boolean;
  sort: SearchPage["sort"];
  offset: number;
  limit: number;
  filter?: OfferFilter | undefined;
  /** Default: MAX_COUNTED. */
  maxCounted?: number;
}

type FoundRow = OfferCardRow & { total: number; lexemes: string[] | null; kinds: KindCounts | null };

/**
 * Returns the offers that match, best first (D2). Up to MAX_COUNTED matches are ranked by relevance times popularity. More matches are returned by
 * popularity: ranking them all would be slow, and relevance distinguishes common words least. Where a common word is known to have more, its offers are
 * read from the index of popularity until the page is full, and nothing is counted.
 */
export async function findOffers(db: Db, search: OfferSearch): Promise<FoundOffers> {
  if (search.isCommon && !search.filter) {
    const found = await readPage(db, search, commonPage(search));
    if (found.offers.length === search.limit) return found;
  }
  return readPage(db, search, countedPage(search));
}

function commonPage({ brandId, now, query, tsquery, sort, offset, limit, maxCounted = MAX_COUNTED }: OfferSearch) {
  return sql`(select ${maxCounted}::integer + 1 as total, scanned.*, null::jsonb as kinds
    from search_offers_scan(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${sort}, ${offset}, ${limit}) scanned)`;
}

function countedPage(search: OfferSearch): RawBuilder<unknown> {
  const { brandId, now, query, tsquery, rareTsquery, sort, offset, limit, filter, maxCounted = MAX_COUNTED } = search;
  return filter
    ? sql`search_offers_narrowed(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${sort}, ${filter.kind}::text,
        (select id from categories where slug = ${filter.category}), ${filter.minBp}::integer, ${maxCounted}, ${offset}, ${limit})`
    : sql`search_offers_matching(${brandId}, ${now}, ${query}, ${tsquery}::tsquery, ${rareTsquery}::tsquery, ${sort}, ${maxCounted}, ${offset}, ${limit})`;
}

/** Offers of each choice of words are counted up to this number, which tells a frequent word from a rare one. */
const MAX_COMPARED = 200;

/**
 * Returns how many offers each choice of words finds, up to MAX_COMPARED + 1, as tsqueries; or null where a retailer has all the words, which are then not
 * to be left out. One statement.
 */
export async function countChoices(
  db: Db,
  { brandId, now, all, choices }: { brandId: string; now: Date; all: string; choices: string[] },
): Promise<number[] | null> {
  const { rows } = await sql<{ is_sold: boolean; total: number | null }>`${keepPlan}
    select exists (select from search_retailers s where s.document @@ ${all}::tsquery and ${brandId} = any(s.brand_ids)) as is_sold,
      (select max(m.total) from search_offers_matching(${brandId}, ${now}, '', choice.words::tsquery, null, 'popular', ${MAX_COMPARED}, 0, 1) m) as total
    from unnest(${choices}::text[]) with ordinality as choice (words, place) order by choice.place`.execute(db);
  return rows[0]?.is_sold ? null : rows.map(({ total }) => total ?? 0);
}

/** An offer as the search field suggests it. */
export type SuggestedOffer = Pick<OfferCard, "publicId" | "slug" | "title" | "headline" | "retailer">;

/** Selects the first offers that match, for suggestions, as `findOffers` finds them. Of a common word that may be too few; `isCommon: false` counts. */
export function suggestedOffers(search: OfferSearch): RawBuilder<SuggestedOffer> {
  const page = search.isCommon ? commonPage(search) : countedPage(search);
  return sql`select o.public_id as "publicId", o.slug, o.title, o.headline, json_build_object('slug', r.slug, 'name', r.name) as retailer
    from ${page} page
    join (live_offers(${search.brandId}, ${search.now}) o join retailers r on r.id = o.retailer_id) on o.id = page.offer_id
    order by page.place`;
}

async function readPage(db: Db, { brandId, now }: OfferSearch, page: RawBuilder<unknown>): Promise<FoundOffers> {
  // The index finds the offers; what is shown, and whether it may be shown, is read from the catalogue.
  const { rows } = await sql<FoundRow>`${keepPlan}
    select page.total, page.lexemes, page.kinds, ${offerCardColumns(brandId, now)}
    from ${page} page
    left join (live_offers(${brandId}, ${now}) o join retailers r on r.id = o.retailer_id) on o.id = page.offer_id
    order by page.place`.execute(db);
  const offers = rows.filter(({ public_id }) => public_id !== null); // the row that only counts, and offers removed since the indexing
  return {
    total: rows[0]?.total ?? 0,
    offers: offers.map((row) => toOfferCard(row, now)),
    found: new Set(offers[0]?.lexemes ?? []),
    kinds: rows[0]?.kinds ?? null,
  };
}
