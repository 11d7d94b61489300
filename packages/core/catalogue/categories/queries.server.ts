import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { CategoryCard, CategoryPage, KindCounts, OfferKind, OfferSort } from "../catalogue-view.ts";
import { offerCardColumns, offerOrder, toOfferCard, type OfferCardRow } from "../offers/offer-cards.server.ts";
import { countPages, isReadInOrder, OFFERS_PER_PAGE } from "../rules.ts";

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

type CategoryRow = {
  id: string;
  name: string;
  body: string;
  /** Live offers of each kind as of the last indexing; null where none are counted yet. */
  counts: KindCounts | null;
  /** What the brand's categories list in all, as of the last indexing. An offer of two categories counts twice. */
  listed: number;
};

/**
 * Returns a category with one page of its offers (D4, D5), filtered by kind and rate, or null for an unknown category. A page beyond the last returns
 * the last. `kinds` counts offers of every kind, whichever is requested. On the first pages of a large category `kinds` and `total` are as of the last
 * indexing (indexCatalogue); what is listed is live in any case.
 */
export async function findCategoryPage(db: Db, request: CategoryRequest): Promise<CategoryPage | null> {
  const { brandId, slug, sort, minBp = null } = request;
  const { rows } = await sql<CategoryRow>`${keepPlan}
    select c.id, c.name, c.body, n.kinds as counts,
      (select coalesce(sum(every.live_offers), 0)::integer from category_counts every where every.brand_id = ${brandId}) as listed
    from categories c
    left join category_counts n on n.category_id = c.id and n.brand_id = ${brandId} where c.slug = ${slug}`.execute(db);
  const category = rows[0];
  if (!category) return null;
  const leading = minBp === null ? await findLeadingPage(db, request, category) : null;
  const { kinds, page, total, offers } = leading ?? (await countPage(db, request, category));
  return {
    slug,
    name: category.name,
    body: category.body,
    sort,
    kinds,
    page,
    pageCount: countPages(total),
    total,
    offers,
  };
}

type OffersPart = Pick<CategoryPage, "kinds" | "page" | "total" | "offers">;

/** Returns one of the first pages of a large category. Returns null where the page or the category is another, or where the counts are out of date. */
async function findLeadingPage(
  db: Db,
  { brandId, now, sort, page, kind = null }: CategoryRequest,
  { id, counts, listed }: CategoryRow,
): Promise<OffersPart | null> {
  const kinds = counts ?? {};
  const total = kind === null ? Object.values(kinds).reduce((sum, count) => sum + count, 0) : (kinds[kind] ?? 0);
  if (!isReadInOrder({ total, listed, page })) return null;
  const { rows } = await sql<OfferCardRow>`${keepPlan}
    select ${offerCardColumns(brandId, now)}
    from large_category_page(${brandId}, ${now}, ${id}, ${kind}::text, ${sort}, ${(page - 1) * OFFERS_PER_PAGE}, ${sql.lit(OFFERS_PER_PAGE)}) page
    join offers o on o.id = page.offer_id join retailers r on r.id = o.retailer_id order by page.place`.execute(db);
  return rows.length === OFFERS_PER_PAGE
    ? { kinds, page, total, offers: rows.map((row) => toOfferCard(row, now)) }
    : null;
}

/** Counts the offers of a category, and returns the requested page of them or the last. */
async function countPage(
  db: Db,
  { brandId, now, sort, page, kind = null, minBp = null }: CategoryRequest,
  { id }: CategoryRow,
): Promise<OffersPart> {
  // Offers are selected by id from the category's list: for a large category the planner would otherwise read the whole table.
  const { rows } = await sql<{ total: number; kinds: KindCounts | null } & OfferCardRow>`${keepPlan}
    with live as materialized (
      select o.id, o.public_id, o.kind, o.popularity, o.starts_at, o.ends_at from live_offers(${brandId}, ${now}) o
      where o.id = any(array(select oc.offer_id from offer_categories oc where oc.category_id = ${id}))
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
    select counted.total, counted.kinds, ${offerCardColumns(brandId, now)}
    from counted left join (page join offers o on o.id = page.id join retailers r on r.id = o.retailer_id) on true
    order by ${offerOrder(sort)}`.execute(db);
  const total = rows[0]?.total ?? 0;
  return {
    kinds: rows[0]?.kinds ?? {},
    page: Math.min(page, countPages(total)),
    total,
    offers: total === 0 ? [] : rows.map((row) => toOfferCard(row, now)),
  };
}

function ofKind(column: RawBuilder<unknown>, kind: OfferKind | null): RawBuilder<unknown> {
  return kind === null ? sql`true` : sql`${column} = ${kind}`;
}
