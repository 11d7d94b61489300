import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { CategoryCard, CategoryPage, KindCounts, OfferKind, OfferSort } from "../catalogue-view.ts";
import { offerCardColumns, offerOrder, toOfferCard, type OfferCardRow } from "../offers/offer-cards.server.ts";
import { countPages, OFFERS_PER_PAGE } from "../rules.ts";

/**
 * Returns the categories in which a brand has offers, in the catalogue's order. The counts are as of the last indexing (indexCatalogue): counting
 * 100,000 offers on every home page would cost more than the page.
 */
export async function listCategories(db: Db, { brandId }: { brandId: string; now: Date }): Promise<CategoryCard[]> {
  const { rows } = await sql<{ slug: string; name: string; live_offers: number }>`${keepPlan}
    select c.slug, c.name, n.live_offers from category_counts n join categories c on c.id = n.category_id
    where n.brand_id = ${brandId} and n.live_offers > 0 and not c.is_hidden order by c.position, c.slug`.execute(db);
  return rows.map((row) => ({ slug: row.slug, name: row.name, liveOffers: row.live_offers }));
}

export interface CategoryRequest {
  brandId: string;
  now: Date;
  slug: string;
  sort: OfferSort;
  page: number;
  kind?: OfferKind | null;
  minBp?: number | null;
}

/**
 * Returns a category with one page of its offers (D4, D5), filtered by kind and rate, or null for an unknown category. A page beyond the last returns
 * the last. `kinds` counts offers of every kind, whichever is requested.
 */
export async function findCategoryPage(
  db: Db,
  { brandId, now, slug, sort, page, kind = null, minBp = null }: CategoryRequest,
): Promise<CategoryPage | null> {
  // Offers are selected by id from the category's list: for a large category the planner would otherwise read the whole table.
  const { rows } = await sql<
    { name: string; body: string; total: number; kinds: KindCounts | null } & OfferCardRow
  >`${keepPlan}
    with category as materialized (select id, name, body from categories where slug = ${slug}),
    live as materialized (
      select o.id, o.public_id, o.kind, o.popularity, o.starts_at, o.ends_at from live_offers(${brandId}, ${now}) o
      where o.id = any(array(select oc.offer_id from offer_categories oc where oc.category_id = (select id from category)))
        ${minBp === null ? sql`` : sql`and o.retailer_id in (select p.id from retailers_paying(${now}, ${minBp}::integer) p)`}
    ),
    by_kind as materialized (select kind, count(*)::integer as n from live group by kind),
    counted as materialized (
      select coalesce(sum(n) filter (where ${ofKind(sql`kind`, kind)}), 0)::integer as total, jsonb_object_agg(kind, n) filter (where n > 0) as kinds
      from by_kind
    ),
    page as materialized (
      select o.id from live o where ${ofKind(sql`o.kind`, kind)} order by ${offerOrder(sort)} limit ${sql.lit(OFFERS_PER_PAGE)}
      offset (select greatest(0, least(${page}::integer - 1, (total - 1) / ${OFFERS_PER_PAGE})) * ${OFFERS_PER_PAGE} from counted)
    )
    select category.name, category.body, counted.total, counted.kinds, ${offerCardColumns}
    from category cross join counted left join (page join offers o on o.id = page.id join retailers r on r.id = o.retailer_id) on true
    order by ${offerOrder(sort)}`.execute(db);
  const category = rows[0];
  if (!category) return null;
  const pageCount = countPages(category.total);
  const offers = category.total === 0 ? [] : rows.map(toOfferCard);
  return {
    slug,
    name: category.name,
    body: category.body,
    sort,
    kinds: category.kinds ?? {},
    page: Math.min(page, pageCount),
    pageCount,
    total: category.total,
    offers,
  };
}

function ofKind(column: RawBuilder<unknown>, kind: OfferKind | null): RawBuilder<unknown> {
  return kind === null ? sql`true` : sql`${column} = ${kind}`;
}
