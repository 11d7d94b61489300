import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { RateView, RetailerCard } from "../catalogue-view.ts";
import { bestRate, lowestRate, rateAt, type RateTier } from "../rates.ts";

/** A boost as the SQL below aggregates it: its rate in basis points or pence, and its time as ISO 8601 text. */
type BoostJson = [bp: number | null, pence: number | null, from: string, to: string];

/** A rate tier, with the boosts in effect at that moment. Lists, not objects: a page of offers reads 24 times as many, and names take half of the time. */
type TierJson = [
  label: string,
  basis: string,
  kind: "percent" | "fixed",
  bp: number | null,
  pence: number | null,
  cap: number | null,
  boosts: BoostJson[] | null,
];

export type TiersJson = TierJson[] | null;

/**
 * Returns the tiers of the programme whose id is `programme`, by position, as JSON; null where it has none. They are kept for each programme
 * (keep_programme_rates), and gathered from their rows only while the programme has a boost that has not ended.
 */
export function tiersJson(programme: RawBuilder<unknown>, now: Date): RawBuilder<TiersJson> {
  return sql`(
    select case when k.boosted_until > ${now} then boosted_tiers(k.programme_id, ${now}) else k.tiers end
    from programme_rates k where k.programme_id = ${programme})`;
}

/** Returns the tiers of retailer `r`'s preferred programme, which builds its links; null where that is not joined. */
export function retailerTiersJson(now: Date): RawBuilder<TiersJson> {
  return tiersJson(
    sql`(select p.id from programmes p where p.retailer_id = r.id and p.is_preferred and p.status = 'joined')`,
    now,
  );
}

export function toRates(tiers: TiersJson, now: Date): RateView[] {
  return (tiers ?? []).map((tier) => rateAt(toTier(tier), now));
}

function toTier([label, basis, rateKind, memberRateBp, memberRatePence, capPence, boosts]: TierJson): RateTier {
  return {
    label,
    basis,
    rateKind,
    memberRateBp,
    memberRatePence,
    capPence,
    boosts: (boosts ?? []).map(([bp, pence, from, to]) => ({
      memberRateBp: bp,
      memberRatePence: pence,
      startsAt: new Date(from),
      endsAt: new Date(to),
    })),
  };
}

/** A row of `retailerCardColumns`. */
export interface RetailerCardRow {
  slug: string;
  name: string;
  short_info: string;
  tiers: TiersJson;
  live_offers: number;
}

/** Returns the columns of a card, from `retailers r`. One that is not active has no tiers and no live offers. */
export function retailerCardColumns(brandId: string, now: Date): RawBuilder<RetailerCardRow> {
  return sql`r.slug, r.name, r.short_info, case when r.status = 'active' then ${retailerTiersJson(now)} end as tiers,
    case when r.status = 'active' then (
      select count(*) from live_offers_shown(${brandId}, ${now}) o where o.retailer_id = r.id)::integer else 0 end as live_offers`;
}

export function toRetailerCard(row: RetailerCardRow, now: Date): RetailerCard {
  const rates = toRates(row.tiers, now);
  return {
    slug: row.slug,
    name: row.name,
    shortInfo: row.short_info,
    bestRate: bestRate(rates),
    hasTiers: rates.length > 1,
    lowestRate: lowestRate(rates),
    liveOffers: row.live_offers,
  };
}
