import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { CategoryCard, RetailerName, SearchPage, StoppedRetailer } from "../catalogue/catalogue-view.ts";
import { summariseRates } from "../catalogue/rate-wording.ts";
import { bestRate, lowestRate } from "../catalogue/rates.ts";
import {
  retailerCardColumns,
  retailerTiersJson,
  toRates,
  toRetailerCard,
  type RetailerCardRow,
  type TiersJson,
} from "../catalogue/retailers/retailer-cards.server.ts";
import { suggestedOffers, type OfferSearch, type SuggestedOffer } from "./find-offers.server.ts";

/** Minimum similarity (pg_trgm, 0 to 1) of a category's name to the query. */
const ALIKE = 0.4;
/** Of a page of results; a search for retailers alone says how many. */
const RETAILERS_SHOWN = 8;
const CATEGORIES_SHOWN = 4;
/** Of suggestions. */
const RETAILERS_SUGGESTED = 5;
const CATEGORIES_SUGGESTED = 3;

export interface NameSearch {
  brandId: string;
  query: string;
  /** The words as a tsquery, and the same limited to names (weight A); null where no word is known. */
  tsquery: string | null;
  nameTsquery: string | null;
  /** Whether to include similar names, for queries whose words find little. */
  includeAlike: boolean;
}

function chosenRetailers(
  { brandId, query, tsquery, nameTsquery, includeAlike }: NameSearch,
  limit: number,
): RawBuilder<unknown> {
  return sql`search_retailers_named(${brandId}, ${query}, ${tsquery}::tsquery, ${nameTsquery}::tsquery, ${includeAlike}, ${limit})`;
}

interface CategoryRow {
  slug: string;
  name: string;
  live_offers: number;
}

/** Selects categories that a query names and in which the brand has offers, best first. */
function categoriesNamed({ brandId, query, nameTsquery }: NameSearch, limit: number): RawBuilder<CategoryRow> {
  return sql`
    select c.slug, c.name, n.live_offers
    from (select search_fold(${query}) as name offset 0) typed, search_categories s
    join categories c on c.id = s.category_id and not c.is_hidden
    join category_counts n on n.category_id = c.id and n.brand_id = ${brandId} and n.live_offers > 0
    where s.document @@ ${nameTsquery}::tsquery
      or (length(typed.name) > 2 and (starts_with(s.name_folded, typed.name) or similarity(s.name_folded, typed.name) >= ${ALIKE}))
    order by s.name_folded = typed.name desc, similarity(s.name_folded, typed.name) desc, c.position limit ${sql.lit(limit)}`;
}

const toCategoryCard = (row: CategoryRow): CategoryCard => ({
  slug: row.slug,
  name: row.name,
  liveOffers: row.live_offers,
});

/** Selects the retailer of a name that the brand shows and that is paused, in administration or closed. The name is read from its index; null reads nothing. */
function stoppedRetailer(brandId: string, name: string | null): RawBuilder<StoppedRetailer> {
  return sql`select r.slug, r.name, r.status from retailers r
    where lower(r.name) = lower(${name}::text) and r.status <> 'active' and r.merged_into_id is null
      and exists (select from brand_retailers br where br.retailer_id = r.id and br.brand_id = ${brandId})
    order by r.id limit 1`;
}

/** Selects rows as one value, a JSON array in their order: several lists then take one round trip, which costs as much as reading one. */
function listOf<Row>(rows: RawBuilder<Row>): RawBuilder<Row[]> {
  return sql`(select coalesce(json_agg(listed), '[]') from (${rows}) listed)`;
}

/**
 * Returns the retailers and the categories of a page of results. The retailers' names match or resemble the query, or they sell what it names; the
 * categories' names match or resemble it, and the brand has offers in them.
 */
export async function findNames(
  db: Db,
  {
    now,
    maxRetailers = RETAILERS_SHOWN,
    stoppedName,
    ...search
  }: NameSearch & {
    now: Date;
    maxRetailers?: number | undefined;
    /** The whole name that a retailer which is not active may have; null where none is asked for. */
    stoppedName: string | null;
  },
): Promise<Pick<SearchPage, "retailers" | "retailersAreMore" | "stopped" | "categories">> {
  const retailers = sql<RetailerCardRow>`select ${retailerCardColumns(search.brandId, now)}
    from ${chosenRetailers(search, maxRetailers + 1)} chosen join retailers r on r.id = chosen.retailer_id
    order by chosen.score desc, r.slug`;
  const { rows } = await sql<{
    retailers: RetailerCardRow[];
    categories: CategoryRow[];
    stopped: StoppedRetailer[];
  }>`${keepPlan}
    select ${listOf(retailers)} as retailers, ${listOf(categoriesNamed(search, CATEGORIES_SHOWN))} as categories,
      ${listOf(stoppedRetailer(search.brandId, stoppedName))} as stopped`.execute(db);
  return {
    retailers: rows[0]!.retailers.slice(0, maxRetailers).map((row) => toRetailerCard(row, now)),
    retailersAreMore: rows[0]!.retailers.length > maxRetailers,
    stopped: rows[0]!.stopped[0] ?? null,
    categories: rows[0]!.categories.map(toCategoryCard),
  };
}

/** A retailer as the search field suggests it. `rates` in words: "2% to 6% cashback"; null where it pays none. */
export interface SuggestedRetailer extends RetailerName {
  rates: string | null;
}

export interface Suggestions {
  retailers: SuggestedRetailer[];
  categories: CategoryCard[];
  offers: SuggestedOffer[];
}

/**
 * Returns suggestions: retailers whose name matches the text so far, or else those that sell what it names, because a list of five has no room for
 * guesses; categories; and offers. `offers`: null where no word is known.
 */
export async function findSuggestions(
  db: Db,
  { offers, now, ...search }: NameSearch & { offers: OfferSearch | null; now: Date },
): Promise<Suggestions> {
  const named = suggestedRetailers({ ...search, tsquery: search.nameTsquery }, now);
  const { rows } = await sql<{
    retailers: SuggestedRetailerRow[];
    categories: CategoryRow[];
    offers: SuggestedOffer[];
  }>`${keepPlan}
    select ${listOf(named)} as retailers, ${listOf(categoriesNamed(search, CATEGORIES_SUGGESTED))} as categories,
      ${offers === null ? sql`'[]'::json` : listOf(suggestedOffers(offers))} as offers`.execute(db);
  const [first] = rows;
  const isShort = offers?.isCommon && first!.offers.length < offers.limit;
  const retailers = first!.retailers.length > 0 ? first!.retailers : await read(db, suggestedRetailers(search, now));
  return {
    retailers: retailers.map(({ slug, name, tiers }) => ({ slug, name, rates: ratesInWords(tiers, now) })),
    categories: first!.categories.map(toCategoryCard),
    offers: isShort ? await read(db, suggestedOffers({ ...offers, isCommon: false })) : first!.offers,
  };
}

async function read<Row>(db: Db, rows: RawBuilder<Row>): Promise<Row[]> {
  return (await sql<Row>`${keepPlan}${rows}`.execute(db)).rows;
}

interface SuggestedRetailerRow extends RetailerName {
  tiers: TiersJson;
}

function ratesInWords(tiers: TiersJson, now: Date): string | null {
  const rates = toRates(tiers, now);
  return summariseRates({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) });
}

function suggestedRetailers(search: NameSearch, now: Date): RawBuilder<SuggestedRetailerRow> {
  return sql`select r.slug, r.name, ${retailerTiersJson(now)} as tiers from ${chosenRetailers(search, RETAILERS_SUGGESTED)} chosen join retailers r on r.id = chosen.retailer_id
    order by chosen.score desc, r.slug`;
}
