import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { CategoryCard, CategoryPage, OfferSort } from "./catalogue-view.ts";
import { listOfferCards } from "./offer-cards.server.ts";
import { countPages } from "./rules.ts";

/**
 * The categories in which a brand has offers, in the catalogue's order. The counts are those of the last indexing
 * (indexCatalogue): counting 100,000 offers on every home page would cost more than the page.
 */
export async function listCategories(db: Db, { brandId }: { brandId: string; now: Date }): Promise<CategoryCard[]> {
  const { rows } = await sql<{ slug: string; name: string; live_offers: number }>`
    select c.slug, c.name, n.live_offers from category_counts n join categories c on c.id = n.category_id
    where n.brand_id = ${brandId} and n.live_offers > 0 order by c.position, c.slug`.execute(db);
  return rows.map((row) => ({ slug: row.slug, name: row.name, liveOffers: row.live_offers }));
}

/**
 * A category with one page of its offers (product.md D4, D5), or null where there is no such category. A page beyond the last
 * shows the last.
 */
export async function findCategoryPage(
  db: Db,
  { brandId, now, slug, sort, page }: { brandId: string; now: Date; slug: string; sort: OfferSort; page: number },
): Promise<CategoryPage | null> {
  const { rows } = await sql<{ name: string; body: string; total: number }>`
    select c.name, c.body, (
      select count(*) from live_offers(${brandId}, ${now}) o
      join offer_categories oc on oc.offer_id = o.id and oc.category_id = c.id) as total
    from categories c where c.slug = ${slug}`.execute(db);
  const category = rows[0];
  if (!category) return null;
  const pageCount = countPages(category.total);
  const shown = Math.min(page, pageCount);
  const offers = category.total === 0 ? [] : await listOfferCards(db, { brandId, now, filters: { categorySlug: slug }, sort, page: shown });
  return { slug, name: category.name, body: category.body, sort, page: shown, pageCount, total: category.total, offers };
}
