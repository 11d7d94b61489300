import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { CategoryCard, RetailerName, SearchPage, StoppedRetailer } from "../catalogue/catalogue-view.ts";
import { summariseRates } from "../catalogue/rate-wording.ts";
import { bestRate, lowestRate } from "../catalogue/rates.ts";
import { countPages } from "../catalogue/rules.ts";
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
/** Above the offers. */
const RETAILERS_SHOWN = 8;
/** On a page of a search for retailers alone. */
const RETAILERS_ON_PAGE = 60;
/** Of a search for retailers alone, all its pages together: the best. */
const MAX_RETAILERS = 300;
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

type NamePart = Pick<
  SearchPage,
  "retailers" | "retailerTotal" | "retailersAreMore" | "retailerPage" | "retailerPageCount" | "stopped" | "categories"
>;

/**
 * Returns the retailers and the categories of a page of results. The retailers' names match or resemble the query, or they sell what it names; the
 * categories' names match or resemble it, and the brand has offers in them.
 */
export async function findNames(
  db: Db,
  {
    now,
    retailerPage = null,
    stoppedName,
    ...search
  }: NameSearch & {
    now: Date;
    /** The page of a search for retailers alone, where one beyond the last is the last; null: those that stand above the offers. */
    retailerPage?: number | null | undefined;
    /** The whole name that a retailer which is not active may have; null where none is asked for. */
    stoppedName: string | null;
  },
): Promise<NamePart> {
  const [max, perPage] =
    retailerPage === null ? [RETAILERS_SHOWN, RETAILERS_SHOWN] : [MAX_RETAILERS, RETAILERS_ON_PAGE];
  const lastPage = sql`(select greatest(least(count(*), ${sql.lit(max)}) - 1, 0) / ${sql.lit(perPage)} from found)`;
  // A page is cut in the order in which they are found, so that none is on two.
  const retailers = sql<RetailerCardRow>`select ${retailerCardColumns(search.brandId, now)}
    from (select * from found order by place limit ${sql.lit(perPage)}
      offset least(${(retailerPage ?? 1) - 1}, ${lastPage}) * ${sql.lit(perPage)}) chosen
      join retailers r on r.id = chosen.retailer_id
    where chosen.place <= ${sql.lit(max)} order by chosen.score desc, r.slug`;
  const { rows } = await sql<{
    found: number;
    retailers: RetailerCardRow[];
    categories: CategoryRow[];
    stopped: StoppedRetailer[];
  }>`${keepPlan}
    with found as materialized (
      select * from ${chosenRetailers(search, max + 1)} with ordinality as named (retailer_id, score, place))
    select (select count(*)::int from found) as found, ${listOf(retailers)} as retailers, ${listOf(categoriesNamed(search, CATEGORIES_SHOWN))} as categories,
      ${listOf(stoppedRetailer(search.brandId, stoppedName))} as stopped`.execute(db);
  const retailerTotal = Math.min(rows[0]!.found, max);
  const retailerPageCount = countPages(retailerTotal, perPage);
  return {
    retailers: rows[0]!.retailers.map((row) => toRetailerCard(row, now)),
    retailerTotal,
    retailersAreMore: rows[0]!.found > max,
    retailerPage: Math.min(retailerPage ?? 1, retailerPageCount),
    retailerPageCount,
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
