import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { paths } from "../paths.ts";

/** The parts of a brand's sitemap that grow with the catalogue (U3); all other pages are a handful. */
export type SitemapKind = "retailers" | "offers" | "categories";

/** URLs per file: a fifth of the 50,000 that sitemaps.org allows, so that a file is generated in well under a second. */
export const ADDRESSES_PER_FILE = 10_000;

export interface SitemapEntry {
  path: string;
  /** When what it shows last changed, where that is known. */
  changedAt: Date | null;
}

interface Row {
  slug: string;
  /** Of an offer. */
  publicId: string | null;
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
      (select count(*) from categories where not is_hidden) as categories`.execute(db);
  return rows[0] ?? { retailers: 0, offers: 0, categories: 0 };
}

/** Returns the entries of one file; `file` counts from 1. Empty beyond the last. */
export async function findSitemapEntries(
  db: Db,
  { brandId, now, kind, file }: { brandId: string; now: Date; kind: SitemapKind; file: number },
): Promise<SitemapEntry[]> {
  const from = {
    retailers: sql`select r.slug, null as "publicId", r.updated_at as "changedAt"
      from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
      where r.status = 'active' order by r.id`,
    offers: sql`select o.slug, o.public_id as "publicId", o.updated_at as "changedAt"
      from live_offers(${brandId}, ${now}) o order by o.id`,
    categories: sql`select slug, null as "publicId", null::timestamptz as "changedAt" from categories where not is_hidden order by position`,
  }[kind];
  const pathOf = {
    retailers: ({ slug }: Row) => paths.retailer(slug),
    offers: ({ slug, publicId }: Row) => paths.offer({ slug, publicId: publicId ?? "" }),
    categories: ({ slug }: Row) => paths.category(slug),
  }[kind];
  const { rows } = await sql<Row>`${from} limit ${ADDRESSES_PER_FILE}
    offset ${(file - 1) * ADDRESSES_PER_FILE}`.execute(db);
  return rows.map((row) => ({ path: pathOf(row), changedAt: row.changedAt }));
}
