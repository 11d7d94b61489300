import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import { toScorecard, type ScorecardCounts } from "../../scorecards/rules.ts";
import { thresholdSql } from "../../thresholds/threshold-values.server.ts";
import { demoteFailing } from "../../votes/code-health.server.ts";
import type {
  OfferFilter,
  OfferKind,
  RetailerCard,
  RetailerPage,
  RetailerStatus,
  TrackingFacts,
} from "../catalogue-view.ts";
import { offerOrder } from "../offers/offer-cards.server.ts";
import {
  retailerCardColumns,
  retailerTiersJson,
  toRates,
  toRetailerCard,
  type RetailerCardRow,
  type TiersJson,
} from "./retailer-cards.server.ts";
import { countPages, RETAILERS_PER_PAGE } from "../rules.ts";

/** A row of `trackingColumns`. */
export interface TrackingRow {
  tracks_within_days_min: number;
  tracks_within_days_max: number;
  confirms_within_days_min: number;
  confirms_within_days_max: number;
  confirms_after: TrackingFacts["confirmsAfter"];
  accepts_claims: boolean;
}

export const trackingColumns = sql`r.tracks_within_days_min, r.tracks_within_days_max, r.confirms_within_days_min,
  r.confirms_within_days_max, r.confirms_after, r.accepts_claims`;

/** The scorecard of retailer `r` as JSON, for toScorecard. */
export const scorecardJson: RawBuilder<ScorecardCounts | null> = sql`(
      select json_build_object('purchases', s.purchases, 'trackedInTime', s.tracked_in_time, 'decided', s.decided, 'declined', s.declined,
        'medianConfirmDays', s.median_confirm_days) from retailer_scorecards s where s.retailer_id = r.id)`;

export function toTracking(row: TrackingRow): TrackingFacts {
  return {
    tracksWithinDays: { min: row.tracks_within_days_min, max: row.tracks_within_days_max },
    confirmsWithinDays: { min: row.confirms_within_days_min, max: row.confirms_within_days_max },
    confirmsAfter: row.confirms_after,
    acceptsClaims: row.accepts_claims,
  };
}

interface RetailerRow extends TrackingRow {
  slug: string;
  name: string;
  short_info: string;
  long_info: string;
  terms: string;
  homepage_url: string;
  status: RetailerStatus;
  adults_only: boolean;
  scorecard: ScorecardCounts | null;
  scorecard_sample: number;
  categories: { slug: string; name: string; isMain: boolean }[] | null;
  tiers: TiersJson;
  offers: { publicId: string; kind: OfferKind; startsAt: string; endsAt: string | null }[] | null;
}

/**
 * Returns a retailer's page (D3), or null where the brand does not show the retailer. A retailer that is paused, in administration or closed still
 * has a page, without rates and offers.
 */
export async function findRetailerPage(
  db: Db,
  { brandId, now, slug }: { brandId: string; now: Date; slug: string },
): Promise<RetailerPage | null> {
  const { rows } = await sql<RetailerRow>`${keepPlan}
    select r.slug, r.name, r.short_info, r.long_info, r.terms, r.homepage_url, r.status, r.adults_only, ${trackingColumns}, ${scorecardJson} as scorecard,
      ${thresholdSql("scorecard-sample", brandId)} as scorecard_sample,
      (select json_agg(json_build_object('slug', c.slug, 'name', c.name, 'isMain', rc.is_main) order by rc.is_main desc, c.position)
       from retailer_categories rc join categories c on c.id = rc.category_id where rc.retailer_id = r.id) as categories,
      case when r.status = 'active' then ${retailerTiersJson(now)} end as tiers,
      case when r.status = 'active' then (
        select json_agg(json_build_object('publicId', o.public_id, 'kind', o.kind, 'startsAt', o.starts_at, 'endsAt', o.ends_at) order by ${offerOrder("popular")})
        from live_offers_shown(${brandId}, ${now}) o where o.retailer_id = r.id) end as offers
    from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    where r.slug = ${slug}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const cards = (row.offers ?? []).map(({ startsAt, endsAt, ...offer }) => ({
    ...offer,
    startsAt: new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
  }));
  const [offers, similar] = await Promise.all([
    demoteFailing(db, { brandId, cards, now }),
    listSimilarRetailers(db, { brandId, now, slug }),
  ]);
  return {
    slug: row.slug,
    name: row.name,
    shortInfo: row.short_info,
    longInfo: row.long_info,
    terms: row.terms,
    homepageUrl: row.homepage_url,
    status: row.status,
    adultsOnly: row.adults_only,
    categories: row.categories ?? [],
    rates: toRates(row.tiers, now),
    tracking: toTracking(row),
    scorecard: toScorecard(row.scorecard, { sample: row.scorecard_sample }),
    offers,
    similar,
  };
}

/** Returns the most popular other retailers that share a category, those with the same main category first. */
async function listSimilarRetailers(
  db: Db,
  { brandId, now, slug }: { brandId: string; now: Date; slug: string },
): Promise<RetailerCard[]> {
  const { rows } = await sql<RetailerCardRow>`${keepPlan}
    with own as materialized (
      select rc.category_id, rc.is_main, me.id from retailers me join retailer_categories rc on rc.retailer_id = me.id where me.slug = ${slug}
    ), sharing as materialized (
      select rc.retailer_id, bool_or(rc.is_main and own.is_main) as same_main
      from own join retailer_categories rc on rc.category_id = own.category_id and rc.retailer_id <> own.id group by rc.retailer_id
    ), chosen as materialized (
      select v.id, sharing.same_main from sharing join visible_retailers(${brandId}) v on v.id = sharing.retailer_id
      order by sharing.same_main desc, v.popularity desc, v.slug limit 6
    )
    select ${retailerCardColumns(brandId, now)} from chosen join retailers r on r.id = chosen.id
    order by chosen.same_main desc, r.popularity desc, r.slug`.execute(db);
  return rows.map((row) => toRetailerCard(row, now));
}

/** A letter of the A–Z with its number of retailers. `0` stands for digits and everything else. */
export interface RetailerLetter {
  letter: string;
  retailers: number;
}

export interface RetailersAToZ {
  letters: RetailerLetter[];
  /** The letter shown, or null for all. */
  letter: string | null;
  /** Number of retailers of the letter shown. */
  total: number;
  page: number;
  pageCount: number;
  retailers: RetailerCard[];
}

export interface RetailersRequest {
  brandId: string;
  now: Date;
  letter?: string | null;
  page?: number;
  /** Only retailers in the category, with live offers of the kind, that pay the rate. */
  filter?: OfferFilter;
}

/**
 * Returns one page of a brand's retailers by name (D3), filtered: all of them, or those of one letter (`a`–`z`, or `0` for the rest). Accents are
 * ignored. A page beyond the last returns the last.
 */
export async function findRetailersAToZ(
  db: Db,
  { brandId, now, letter = null, page = 1, filter = unfiltered }: RetailersRequest,
): Promise<RetailersAToZ> {
  const first = sql`lower(unaccent(left(v.name, 1)))`;
  const { rows } = await sql<AToZRow>`${keepPlan}
    with wanted as materialized (
      select v.id, v.slug, lower(unaccent(v.name)) as sort_name, case when ${first} between 'a' and 'z' then left(${first}, 1) else '0' end as letter
      from visible_retailers(${brandId}) v where ${retailerConditions({ brandId, now, filter })}
    ), by_letter as materialized (
      select w.letter, count(*)::integer as retailers from wanted w group by w.letter
    ), counted as materialized (
      select json_agg(json_build_object('letter', l.letter, 'retailers', l.retailers) order by l.letter) as letters,
        coalesce(sum(l.retailers) filter (where ${ofLetter(sql`l.letter`, letter)}), 0)::integer as total
      from by_letter l
    ), chosen as materialized (
      select w.id, w.slug, w.sort_name from wanted w where ${ofLetter(sql`w.letter`, letter)}
      order by w.sort_name, w.slug limit ${sql.lit(RETAILERS_PER_PAGE)}
      offset (select greatest(0, least(${page}::integer - 1, (total - 1) / ${RETAILERS_PER_PAGE})) * ${RETAILERS_PER_PAGE} from counted)
    ), offers as materialized (
      select o.retailer_id, count(*)::integer as live_offers from live_offers(${brandId}, ${now}) o
      where o.retailer_id in (select id from chosen) group by o.retailer_id
    )
    select counted.letters, counted.total, r.slug, r.name, r.short_info, ${retailerTiersJson(now)} as tiers,
      coalesce(offers.live_offers, 0) as live_offers
    from counted left join (chosen join retailers r on r.id = chosen.id left join offers on offers.retailer_id = r.id) on true
    order by chosen.sort_name, r.slug`.execute(db);
  const { letters, total } = rows[0] ?? { letters: null, total: 0 };
  const pageCount = countPages(total, RETAILERS_PER_PAGE);
  return {
    letters: letters ?? [],
    letter,
    total,
    page: Math.min(page, pageCount),
    pageCount,
    retailers: total === 0 ? [] : rows.map((row) => toRetailerCard(row, now)),
  };
}

type AToZRow = RetailerCardRow & { letters: RetailerLetter[] | null; total: number };

function ofLetter(column: RawBuilder<unknown>, letter: string | null): RawBuilder<unknown> {
  return letter === null ? sql`true` : sql`${column} = ${letter}`;
}

const unfiltered: OfferFilter = { kind: null, category: null, minBp: null };

function retailerConditions({ brandId, now, filter }: Required<Pick<RetailersRequest, "brandId" | "now" | "filter">>) {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter.category !== null)
    conditions.push(sql`v.id in (
      select rc.retailer_id from retailer_categories rc where rc.category_id = (select id from categories where slug = ${filter.category}))`);
  if (filter.minBp !== null)
    conditions.push(sql`v.id in (select p.id from retailers_paying(${now}, ${filter.minBp}::integer) p)`);
  if (filter.kind !== null)
    conditions.push(
      sql`v.id in (select o.retailer_id from live_offers(${brandId}, ${now}) o where o.kind = ${filter.kind})`,
    );
  return sql.join(conditions, sql` and `);
}
