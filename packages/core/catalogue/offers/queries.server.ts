import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { chooseDealLink } from "../landing.ts";
import type { OfferCard, OfferKind, OfferPage, OfferVariant, RetailerStatus } from "../catalogue-view.ts";
import { isSoldByBrand, linkingProgramme } from "./linking-programme.server.ts";
import { offerCardColumns, toOfferCard, type OfferCardRow } from "./offer-cards.server.ts";
import { scorecardJson, toTracking, trackingColumns, type TrackingRow } from "../retailers/queries.server.ts";
import { tiersJson, toRates, type TiersJson } from "../retailers/retailer-cards.server.ts";
import { offerState } from "../rules.ts";
import { toScorecard, type ScorecardCounts } from "../../scorecards/rules.ts";
import { thresholdSql } from "../../thresholds/threshold-values.server.ts";
import { demoteFailing, findCodeHealth } from "../../votes/code-health.server.ts";
import type { CodeHealth } from "../../votes/rules.ts";

interface OfferRow extends TrackingRow {
  id: string;
  public_id: string;
  slug: string;
  kind: OfferKind;
  status: "live" | "withdrawn";
  title: string;
  headline: string;
  description: string;
  terms: string;
  exclusions: string;
  starts_at: Date;
  ends_at: Date | null;
  adults_only: boolean;
  retailer_slug: string;
  retailer_name: string;
  retailer_status: RetailerStatus;
  short_info: string;
  categories: { slug: string; name: string }[] | null;
  variants: OfferVariant[] | null;
  scorecard: ScorecardCounts | null;
  scorecard_sample: number;
  landing_url: string;
  homepage_url: string;
  is_clubs_own: boolean;
  programme_landing: string | null;
  valid_domains: string[] | null;
  has_pool: boolean;
  has_shared: boolean;
  has_free: boolean;
  tiers: TiersJson;
}

/**
 * Returns an offer's page (O1, O7), or null where the id is unknown or the brand does not show the offer. Expired, withdrawn and upcoming offers have
 * a page too, with their `state`. The page never contains a code.
 * @param isPreview show it as it will be once it is published and has begun, to operators (preview-token.ts)
 */
export async function findOfferPage(
  db: Db,
  { brandId, now, publicId, isPreview = false }: { brandId: string; now: Date; publicId: string; isPreview?: boolean },
): Promise<OfferPage | null> {
  const { rows } = await sql<OfferRow>`${keepPlan}
    select o.id, o.public_id, o.slug, o.kind, o.status, o.title, o.headline, o.description, o.terms, o.exclusions, o.starts_at, o.ends_at,
      o.adults_only or r.adults_only as adults_only, r.slug as retailer_slug, r.name as retailer_name, r.status as retailer_status, r.short_info,
      o.landing_url, r.homepage_url, o.network_id is null as is_clubs_own, linked.landing_url as programme_landing, linked.valid_domains,
      ${trackingColumns}, ${scorecardJson} as scorecard,
      ${thresholdSql("scorecard-sample", brandId)} as scorecard_sample,
      (select json_agg(json_build_object('slug', c.slug, 'name', c.name) order by c.position)
       from offer_categories oc join categories c on c.id = oc.category_id where oc.offer_id = o.id) as categories,
      (select json_agg(json_build_object('publicId', v.public_id, 'label', v.label) order by v.position, v.label)
       from offer_variants v where v.offer_id = o.id) as variants,
      exists (select from offer_codes k where k.offer_id = o.id and k.code_kind = 'pool') as has_pool,
      exists (select from offer_codes k where k.offer_id = o.id and k.code_kind = 'shared') as has_shared,
      exists (select from offer_codes k where k.offer_id = o.id and k.code_kind = 'pool' and k.member_id is null) as has_free,
      case when r.status = 'active' and ${isSoldByBrand(brandId)} is not true then ${tiersJson(sql`linked.id`, now)} end as tiers
    from offers o join retailers r on r.id = o.retailer_id join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    left join lateral (${linkingProgramme(sql`linking.id, linking.landing_url, linking.valid_domains`)}) linked on true
    where o.public_id = ${publicId}
      and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
           or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = ${brandId}))`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return null;
  const [similar, health] = await Promise.all([
    listSimilarOffers(db, { brandId, now, offerId: row.id }),
    row.has_pool || row.has_shared ? findCodeHealth(db, { brandId, publicIds: [publicId], now }) : null,
  ]);
  if (isPreview) row.status = "live";
  const at = isPreview && row.starts_at > now ? row.starts_at : now;
  return toOfferPage(row, { similar, codeHealth: health?.get(publicId) ?? null, now: at });
}

function toOfferPage(
  row: OfferRow,
  { similar, codeHealth, now }: { similar: OfferCard[]; codeHealth: CodeHealth | null; now: Date },
): OfferPage {
  return {
    id: row.id,
    publicId: row.public_id,
    slug: row.slug,
    kind: row.kind,
    state: offerState(
      { status: row.status, startsAt: row.starts_at, endsAt: row.ends_at, retailerStatus: row.retailer_status },
      now,
    ),
    title: row.title,
    headline: row.headline,
    description: row.description,
    terms: row.terms,
    exclusions: row.exclusions,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    adultsOnly: row.adults_only,
    retailer: {
      slug: row.retailer_slug,
      name: row.retailer_name,
      status: row.retailer_status,
      shortInfo: row.short_info,
    },
    categories: row.categories ?? [],
    variants: row.variants ?? [],
    dealLink: toDealLink(row),
    code: toCode(row),
    codeHealth,
    rates: toRates(row.tiers, now),
    tracking: toTracking(row),
    scorecard: toScorecard(row.scorecard, { sample: row.scorecard_sample }),
    similar,
  };
}

/** Whatever the variant: one whose own address can't be followed leads where its offer does. */
function toDealLink(row: OfferRow): OfferPage["dealLink"] {
  const { programme_landing: landingUrl, valid_domains: validDomains } = row;
  const link = chooseDealLink({
    kind: row.kind,
    candidates: [row.landing_url],
    programme: landingUrl !== null && validDomains !== null ? { landingUrl, validDomains } : null,
    isClubsOwn: row.is_clubs_own,
    homepageUrl: row.homepage_url,
  });
  return link?.as ?? null;
}

/** A code offer without any code counts as an empty pool, and the page says so (O4). */
function toCode({ kind, has_pool, has_shared, has_free }: OfferRow): OfferPage["code"] {
  if (has_pool) return { codeKind: "pool", available: has_free || has_shared };
  if (has_shared) return { codeKind: "shared", available: true };
  return kind === "code" ? { codeKind: "pool", available: false } : null;
}

const MAX_SAME_RETAILER = 3;
const MAX_SIMILAR = 8;

/** Returns up to three other offers of the retailer, then the most popular of the offer's categories at other retailers. */
async function listSimilarOffers(
  db: Db,
  { brandId, now, offerId }: { brandId: string; now: Date; offerId: string },
): Promise<OfferCard[]> {
  const { rows } = await sql<OfferCardRow>`${keepPlan}
    select ${offerCardColumns(brandId, now)}
    from similar_offers(${brandId}, ${now}, ${offerId}, ${MAX_SAME_RETAILER}, ${MAX_SIMILAR}) similar_offer
    join offers o on o.id = similar_offer.offer_id join retailers r on r.id = o.retailer_id
    order by similar_offer.place`.execute(db);
  return await demoteFailing(db, { brandId, cards: rows.map((row) => toOfferCard(row, now)), now });
}
