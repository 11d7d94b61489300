import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { RateView, RetailerCard } from "../catalogue-view.ts";
import { bestRate, lowestRate, rateAt, type RateTier } from "../rates.ts";

/** A rate tier as the SQL below aggregates it, with the boosts in effect at that moment. Moments are ISO 8601 text. */
interface TierJson {
  label: string;
  basis: string;
  kind: "percent" | "fixed";
  bp: number | null;
  pence: number | null;
  cap: number | null;
  boosts: { bp: number | null; pence: number | null; from: string; to: string }[] | null;
}

export type TiersJson = TierJson[] | null;

/** Returns the tiers of a joined programme by position, as JSON; `programme` is an SQL condition on `programmes p`. */
export function tiersJson(programme: RawBuilder<unknown>, now: Date): RawBuilder<TiersJson> {
  return sql`(
    select json_agg(json_build_object('label', t.label, 'basis', t.basis, 'kind', t.rate_kind, 'bp', t.member_rate_bp,
        'pence', t.member_rate_pence, 'cap', t.cap_pence, 'boosts', (
          select json_agg(json_build_object('bp', b.member_rate_bp, 'pence', b.member_rate_pence, 'from', b.starts_at, 'to', b.ends_at))
          from boosts b where b.rate_tier_id = t.id and b.starts_at <= ${now} and b.ends_at > ${now})) order by t.position, t.label)
    from programmes p join rate_tiers t on t.programme_id = p.id
    where p.status = 'joined' and ${programme})`;
}

/** Returns the tiers of retailer `r`'s preferred programme, which builds its links. */
export function retailerTiersJson(now: Date): RawBuilder<TiersJson> {
  return tiersJson(sql`p.retailer_id = r.id and p.is_preferred`, now);
}

export function toRates(tiers: TiersJson, now: Date): RateView[] {
  return (tiers ?? []).map((tier) => rateAt(toTier(tier), now));
}

function toTier(tier: TierJson): RateTier {
  return {
    label: tier.label,
    basis: tier.basis,
    rateKind: tier.kind,
    memberRateBp: tier.bp,
    memberRatePence: tier.pence,
    capPence: tier.cap,
    boosts: (tier.boosts ?? []).map((boost) => ({
      memberRateBp: boost.bp,
      memberRatePence: boost.pence,
      startsAt: new Date(boost.from),
      endsAt: new Date(boost.to),
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

/** Returns the columns of a card, from `visible_retailers r`. */
export function retailerCardColumns(brandId: string, now: Date): RawBuilder<RetailerCardRow> {
  return sql`r.slug, r.name, r.short_info, ${retailerTiersJson(now)} as tiers,
    (select count(*) from live_offers_shown(${brandId}, ${now}) o where o.retailer_id = r.id)::integer as live_offers`;
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
