import { createHash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { typedOfRetailer, type RetailerForm } from "./retailer-schema.ts";

/** A retailer with everything that operators keep of it. */
export interface RetailerRecord extends RetailerForm {
  id: string;
  slug: string;
  programmes: {
    network: string;
    number: string;
    name: string;
    status: string;
    isPreferred: boolean;
    landingUrl: string;
    rates: {
      label: string;
      bp: number | null;
      pence: number | null;
      /** Those that run or are to come, the next first; times in ISO 8601. */
      boosts: { bp: number | null; pence: number | null; startsAt: string; endsAt: string }[];
    }[];
  }[];
  scorecard: { purchases: number; trackedInTime: number; decided: number; declined: number } | null;
  liveOffers: number;
  /** The retailer that this one was merged into; null: it is one of its own. */
  mergedInto: { slug: string; name: string; at: string } | null;
  /** The retailers that were merged into this one. */
  merged: { slug: string; name: string }[];
  createdAt: Date;
  changedAt: Date;
  /** The hash of all that the form shows: a save against another one comes too late. */
  fingerprint: string;
}

/** Returns a retailer by its slug, or null. In a transaction with `isLocked`, its row is locked until the end. */
export async function findRetailerRecord(
  db: Db | Trx,
  { slug, isLocked = false, now = new Date() }: { slug: string; isLocked?: boolean; now?: Date },
): Promise<RetailerRecord | null> {
  const { rows } = await sql<Omit<RetailerRecord, "fingerprint">>`
    select r.id, r.slug, r.name, r.short_info as "shortInfo", r.long_info as "longInfo", r.terms, r.homepage_url as "homepageUrl",
      r.status, r.accepts_claims as "acceptsClaims", r.adults_only as "adultsOnly",
      r.tracks_within_days_min as "tracksMin", r.tracks_within_days_max as "tracksMax",
      r.confirms_within_days_min as "confirmsMin", r.confirms_within_days_max as "confirmsMax",
      r.confirms_after as "confirmsAfter", r.popularity, r.created_at as "createdAt", r.updated_at as "changedAt",
      (select c.slug from retailer_categories f join categories c on c.id = f.category_id
        where f.retailer_id = r.id and f.is_main) as "mainCategory",
      array(select c.slug from retailer_categories f join categories c on c.id = f.category_id
        where f.retailer_id = r.id order by c.slug collate "C") as categories,
      array(select b.slug from brand_retailers shown join brands b on b.id = shown.brand_id
        where shown.retailer_id = r.id order by b.slug collate "C") as brands,
      coalesce((select json_agg(json_build_object('network', n.name, 'number', p.network_programme_id, 'name', p.name, 'status', p.status,
          'isPreferred', p.is_preferred, 'landingUrl', p.landing_url, 'rates', coalesce((select json_agg(json_build_object(
            'label', t.label, 'bp', t.member_rate_bp, 'pence', t.member_rate_pence, 'boosts', coalesce((
              select json_agg(json_build_object('bp', b.member_rate_bp, 'pence', b.member_rate_pence, 'startsAt', b.starts_at, 'endsAt', b.ends_at)
                order by b.starts_at)
              from boosts b where b.rate_tier_id = t.id and b.ends_at > ${now}), '[]')) order by t.position)
            from rate_tiers t where t.programme_id = p.id), '[]')) order by p.is_preferred desc, n.name)
        from programmes p join networks n on n.id = p.network_id where p.retailer_id = r.id), '[]') as programmes,
      (select json_build_object('purchases', s.purchases, 'trackedInTime', s.tracked_in_time, 'decided', s.decided, 'declined', s.declined)
        from retailer_scorecards s where s.retailer_id = r.id) as scorecard,
      (select count(*) from offers o where o.retailer_id = r.id and o.status = 'live') as "liveOffers",
      (select json_build_object('slug', place.slug, 'name', place.name, 'at', r.merged_at) from retailers place
        where place.id = r.merged_into_id) as "mergedInto",
      coalesce((select json_agg(json_build_object('slug', m.slug, 'name', m.name) order by m.merged_at, m.id)
        from retailers m where m.merged_into_id = r.id), '[]') as merged
    from retailers r where r.slug = ${slug} ${isLocked ? sql`for update of r` : sql``}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const shown = JSON.stringify([row.slug, typedOfRetailer(formOf(row))]);
  return { ...row, fingerprint: createHash("sha256").update(shown).digest("base64url").slice(0, 22) };
}

/** Returns the part of a record that its form has. */
export function formOf(record: RetailerForm): RetailerForm {
  return {
    ...{ name: record.name, shortInfo: record.shortInfo, longInfo: record.longInfo, terms: record.terms },
    ...{ homepageUrl: record.homepageUrl, status: record.status, acceptsClaims: record.acceptsClaims },
    ...{ adultsOnly: record.adultsOnly, tracksMin: record.tracksMin, tracksMax: record.tracksMax },
    ...{ confirmsMin: record.confirmsMin, confirmsMax: record.confirmsMax, confirmsAfter: record.confirmsAfter },
    ...{ popularity: record.popularity, mainCategory: record.mainCategory },
    ...{ categories: record.categories, brands: record.brands },
  };
}
