import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** The parts of a brand's sitemap that grow with the catalogue (U3); all other pages are a handful. */
export type SitemapKind = "retailers" | "offers" | "categories";

/** URLs per file: a fifth of the 50,000 that sitemaps.org allows, so that a file is generated in well under a second. */
export const ADDRESSES_PER_FILE = 10_000;

export interface SitemapEntry {
  path: string;
  /** When what it shows last changed, where that is known. */
  changedAt: Date | null;
}

/** Returns how many pages of each part a brand's visitors can open at `now`. */
export async function countSitemapEntries(
  db: Db,
  { brandId, now }: { brandId: string; now: Date },
): Promise<Record<SitemapKind, number>> {
  const { rows } = await sql<Record<SitemapKind, number>>`
    select
      (select count(*) from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
       where r.status = 'active') as retailers,
      (select count(*) from live_offers(${brandId}, ${now})) as offers,
      (select count(*) from categories) as categories`.execute(db);
  return rows[0] ?? { retailers: 0, offers: 0, categories: 0 };
}

/** Returns the entries of one file; `file` counts from 1. Empty beyond the last. */
export async function findSitemapEntries(
  db: Db,
  { brandId, now, kind, file }: { brandId: string; now: Date; kind: SitemapKind; file: number },
): Promise<SitemapEntry[]> {
  const from = {
    retailers: sql`select '/retailers/' || r.slug as path, r.updated_at as "changedAt"
      from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
      where r.status = 'active' order by r.id`,
    offers: sql`select '/offers/' || o.slug || '?offer=' || o.public_id as path, o.updated_at as "changedAt"
      from live_offers(${brandId}, ${now}) o order by o.id`,
    categories: sql`select '/categories/' || slug as path, null::timestamptz as "changedAt" from categories order by position`,
  }[kind];
  const { rows } = await sql<SitemapEntry>`${from} limit ${ADDRESSES_PER_FILE}
    offset ${(file - 1) * ADDRESSES_PER_FILE}`.execute(db);
  return rows;
}
