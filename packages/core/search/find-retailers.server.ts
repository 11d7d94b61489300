import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { CategoryCard, RetailerCard } from "../catalogue/catalogue-view.ts";
import {
  retailerCardColumns,
  toRetailerCard,
  type RetailerCardRow,
} from "../catalogue/retailers/retailer-cards.server.ts";

/** Minimum similarity (pg_trgm, 0 to 1) of a category's name to the query. */
const ALIKE = 0.4;

export interface NameSearch {
  brandId: string;
  query: string;
  /** The words as a tsquery, and the same limited to names (weight A); null where no word is known. */
  tsquery: string | null;
  nameTsquery: string | null;
  /** Whether to include similar names, for queries whose words find little. */
  includeAlike: boolean;
  limit: number;
}

function chosenRetailers({
  brandId,
  query,
  tsquery,
  nameTsquery,
  includeAlike,
  limit,
}: NameSearch): RawBuilder<unknown> {
  return sql`search_retailers_named(${brandId}, ${query}, ${tsquery}::tsquery, ${nameTsquery}::tsquery, ${includeAlike}, ${limit})`;
}

/** Returns retailers whose name matches or resembles the query, or that sell what it names. */
export async function findRetailers(db: Db, { now, ...search }: NameSearch & { now: Date }): Promise<RetailerCard[]> {
  const { rows } = await sql<RetailerCardRow>`${keepPlan}
    select ${retailerCardColumns(search.brandId, now)} from ${chosenRetailers(search)} chosen join retailers r on r.id = chosen.retailer_id
    order by chosen.score desc, r.slug`.execute(db);
  return rows.map((row) => toRetailerCard(row, now));
}

/** As findRetailers, but returns names only, for suggestions. */
export async function findRetailerNames(db: Db, search: NameSearch): Promise<{ slug: string; name: string }[]> {
  const { rows } = await sql<{ slug: string; name: string }>`${keepPlan}
    select r.slug, r.name from ${chosenRetailers(search)} chosen join retailers r on r.id = chosen.retailer_id order by chosen.score desc, r.slug`.execute(
    db,
  );
  return rows;
}

/** Returns categories that a query names and in which the brand has offers. */
export async function findCategories(
  db: Db,
  { brandId, query, nameTsquery, limit }: Omit<NameSearch, "tsquery" | "includeAlike">,
): Promise<CategoryCard[]> {
  const { rows } = await sql<{ slug: string; name: string; live_offers: number }>`${keepPlan}
    with typed as materialized (select search_fold(${query}) as name)
    select c.slug, c.name, n.live_offers
    from typed, search_categories s join categories c on c.id = s.category_id and not c.is_hidden
    join category_counts n on n.category_id = c.id and n.brand_id = ${brandId} and n.live_offers > 0
    where s.document @@ ${nameTsquery}::tsquery
      or (length(typed.name) > 2 and (starts_with(s.name_folded, typed.name) or similarity(s.name_folded, typed.name) >= ${ALIKE}))
    order by s.name_folded = typed.name desc, similarity(s.name_folded, typed.name) desc, c.position limit ${sql.lit(limit)}`.execute(
    db,
  );
  return rows.map((row) => ({ slug: row.slug, name: row.name, liveOffers: row.live_offers }));
}
