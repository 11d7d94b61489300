import { sql, type RawBuilder } from "kysely";
import { thresholdSql } from "../../thresholds/threshold-values.server.ts";
import type { ListQuery } from "../../lists/find-list-page.server.ts";
import type { RetailerStatus } from "../catalogue-view.ts";

/** A retailer as operators list it. */
export interface ListedRetailer {
  slug: string;
  name: string;
  status: RetailerStatus;
  category: string | null;
  /** Names of the networks whose programmes are joined. */
  networks: string[];
  brands: number;
  liveOffers: number;
  /** Of a year's purchases, how many of ten thousand were tracked in time; null below the purchases that it needs (core/thresholds). */
  trackedBp: number | null;
  changedAt: Date;
}

export type RetailerSort = "name" | "changed" | "tracking";

/** The filters, as they are typed; one that is missing does not narrow. */
export interface RetailerFilters {
  /** Part of the name, or the slug. */
  q?: string;
  status?: string;
  /** Slugs. */
  category?: string;
  brand?: string;
  /** A brand that does not show it. */
  hidden?: string;
  network?: string;
}

const trackedBp = sql`(select s.tracked_in_time::bigint * 10000 / s.purchases from retailer_scorecards s
  where s.retailer_id = retailer.id and s.purchases >= ${thresholdSql("tracking-sample")})`;

/** Returns how retailers are listed and found (A2), without those that were merged. Those that are not measured come after all others. */
export function retailerList(filters: RetailerFilters, now: Date): ListQuery<RetailerSort> {
  const { q, status, category, brand, hidden, network } = filters;
  const where: RawBuilder<unknown>[] = [sql`retailer.merged_into_id is null`];
  if (q) {
    const like = `%${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    where.push(sql`(lower(retailer.name) like ${like} or retailer.slug = ${q})`);
  }
  if (status) where.push(sql`retailer.status = ${status}`);
  if (category)
    where.push(sql`exists (select from retailer_categories filed join categories c on c.id = filed.category_id
      where filed.retailer_id = retailer.id and c.slug = ${category})`);
  if (brand)
    where.push(sql`exists (select from brand_retailers shown join brands b on b.id = shown.brand_id
      where shown.retailer_id = retailer.id and b.slug = ${brand})`);
  if (hidden)
    where.push(sql`not exists (select from brand_retailers shown join brands b on b.id = shown.brand_id
      where shown.retailer_id = retailer.id and b.slug = ${hidden})`);
  if (network)
    where.push(sql`exists (select from programmes p join networks n on n.id = p.network_id
      where p.retailer_id = retailer.id and n.slug = ${network})`);
  return {
    from: sql`retailers retailer`,
    select: sql`retailer.slug, retailer.name, retailer.status, retailer.updated_at as "changedAt", ${trackedBp} as "trackedBp",
      (select c.name from retailer_categories filed join categories c on c.id = filed.category_id
        where filed.retailer_id = retailer.id and filed.is_main) as category,
      array(select n.name from programmes p join networks n on n.id = p.network_id
        where p.retailer_id = retailer.id and p.status = 'joined' order by p.is_preferred desc, n.name) as networks,
      (select count(*) from brand_retailers shown where shown.retailer_id = retailer.id) as brands,
      (select count(*) from offers o where o.retailer_id = retailer.id and o.status = 'live' and o.starts_at <= ${now}
        and (o.ends_at is null or o.ends_at > ${now})) as "liveOffers"`,
    where,
    sorts: {
      name: { by: sql`lower(retailer.name)`, type: "text" },
      changed: { by: sql`retailer.updated_at`, type: "timestamptz" },
      tracking: { by: sql`coalesce(${trackedBp}, 20000)`, type: "bigint" },
    },
    id: { by: sql`retailer.id`, type: "uuid" },
  };
}
