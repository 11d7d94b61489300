import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { OfferCard, OfferKind, OfferSort } from "../catalogue-view.ts";
import { bestRate, lowestRate } from "../rates.ts";
import { plusCashback } from "../rate-wording.ts";
import { tiersJson, toRates, type TiersJson } from "../retailers/retailer-cards.server.ts";
import { isSoldByBrand, linkingProgramme } from "./linking-programme.server.ts";
import { OFFERS_PER_PAGE, termsLine } from "../rules.ts";

/** A row of `offerCardColumns`. */
export interface OfferCardRow {
  public_id: string;
  slug: string;
  kind: OfferKind;
  title: string;
  headline: string;
  retailer_slug: string;
  retailer_name: string;
  exclusions: string;
  terms: string;
  ends_at: Date | null;
  adults_only: boolean;
  tiers: TiersJson;
}

/**
 * Returns the columns of a card, from `offers o` joined with `retailers r`. Long texts are cut: a card shows their first line. The tiers are those of
 * the programme that the offer's own link earns from; a cashback offer names its rate itself, and a gift card that the brand sells has no link.
 */
export function offerCardColumns(brandId: string, now: Date): RawBuilder<OfferCardRow> {
  return sql`
  o.public_id, o.slug, o.kind, o.title, o.headline, r.slug as retailer_slug, r.name as retailer_name,
  left(o.exclusions, 300) as exclusions, left(o.terms, 300) as terms, o.ends_at, o.adults_only or r.adults_only as adults_only,
  case when o.kind <> 'cashback' and r.status = 'active' and ${isSoldByBrand(brandId)} is not true
    then ${tiersJson(sql`(${linkingProgramme(sql`linking.id`)})`, now)} end as tiers`;
}

export function toOfferCard(row: OfferCardRow, now: Date): OfferCard {
  const rates = toRates(row.tiers, now);
  return {
    publicId: row.public_id,
    slug: row.slug,
    kind: row.kind,
    title: row.title,
    headline: row.headline,
    retailer: { slug: row.retailer_slug, name: row.retailer_name },
    termsLine: termsLine(row),
    endsAt: row.ends_at,
    adultsOnly: row.adults_only,
    plusCashback: plusCashback({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) }),
  };
}

/** Returns the order of a listing. The public id breaks ties, so that pages neither repeat nor skip an offer. */
export function offerOrder(sort: OfferSort): RawBuilder<unknown> {
  if (sort === "newest") return sql`o.starts_at desc, o.public_id`;
  if (sort === "ending") return sql`o.ends_at asc nulls last, o.public_id`;
  return sql`o.popularity desc, o.public_id`;
}

export interface OfferFilters {
  /** Slug of the only retailer. */
  retailerSlug?: string;
  /** Slug of the only category. */
  categorySlug?: string;
  kinds?: readonly OfferKind[];
  /** Whether to leave out offers without an end. */
  endsOnly?: boolean;
  /** Public ids of the only offers, for example those recently viewed. */
  publicIds?: readonly string[];
}

/** Returns one page of the offers that a brand's visitors can use at `now`, filtered and sorted (D1, D4). `page` counts from 1. */
export async function listOfferCards(
  db: Db,
  options: { brandId: string; now: Date; filters?: OfferFilters; sort?: OfferSort; page?: number; perPage?: number },
): Promise<OfferCard[]> {
  const { brandId, now, filters = {}, sort = "popular", page = 1, perPage = OFFERS_PER_PAGE } = options;
  const { rows } = await sql<OfferCardRow>`${keepPlan}
    select ${offerCardColumns(brandId, now)}
    from live_offers(${brandId}, ${now}) o join retailers r on r.id = o.retailer_id
    where ${filterConditions(filters)}
    order by ${offerOrder(sort)} limit ${sql.lit(perPage)} ${page > 1 ? sql`offset ${(page - 1) * perPage}` : sql``}`.execute(
    db,
  );
  return rows.map((row) => toOfferCard(row, now));
}

function filterConditions({
  retailerSlug,
  categorySlug,
  kinds,
  endsOnly,
  publicIds,
}: OfferFilters): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (retailerSlug !== undefined) conditions.push(sql`r.slug = ${retailerSlug}`);
  if (categorySlug !== undefined) {
    conditions.push(sql`exists (
      select from offer_categories oc where oc.offer_id = o.id and oc.category_id = (select id from categories where slug = ${categorySlug}))`);
  }
  if (kinds) conditions.push(sql`o.kind = any(${kinds}::text[])`);
  if (endsOnly) conditions.push(sql`o.ends_at is not null`);
  if (publicIds) conditions.push(sql`o.public_id = any(${publicIds}::text[])`);
  return sql.join(conditions, sql` and `);
}
