import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { retailerAt } from "../catalogue/retailers/retailer-at.server.ts";
import { offerState } from "../catalogue/rules.ts";
import type { OfferKind, RetailerStatus } from "../catalogue/catalogue-view.ts";
import type { Freezable, FreezableTier, RateSnapshot } from "./rate-snapshot.ts";
import { chooseDealLink } from "../catalogue/landing.ts";
import { linkingProgramme } from "../catalogue/offers/linking-programme.server.ts";

/** Where a click leads and what is promised for it, except for the moment. */
export interface ClickTarget extends Freezable {
  /** Slug of the offer's or retailer's page. */
  slug: string;
  retailerId: string;
  programmeId: string;
  networkId: string;
  networkSlug: string;
  networkProgrammeId: string;
  /** The programme's own link; null where the network builds links from its ids. */
  programmeLink: string | null;
  offerId: string | null;
  offerVariantId: string | null;
  landingUrl: string;
  /** The offer is valid between these; null means no limit. Checked again at every click. */
  startsAt: Date | null;
  endsAt: Date | null;
  termsHash: string;
  /** What the hash is of, less the rates, which the snapshot holds. */
  terms: string;
}

export type ClickTargetFinding =
  | { outcome: "found"; target: ClickTarget }
  /** The link leads to the shop without a network: nothing is earned, so there is no click. */
  | { outcome: "untracked"; slug: string; landingUrl: string; dates: { startsAt: Date | null; endsAt: Date | null } }
  /** The brand shows it, but its link cannot be followed now; its page says why. `dates` is set where it is only too early or too late. */
  | { outcome: "closed"; slug: string; dates?: { startsAt: Date | null; endsAt: Date | null } }
  | { outcome: "unknown" };

interface TargetRow {
  slug: string;
  offer_id: string | null;
  kind: OfferKind | null;
  title: string | null;
  offer_status: "live" | "withdrawn" | null;
  starts_at: Date | null;
  ends_at: Date | null;
  offer_landing: string | null;
  is_clubs_own: boolean;
  variant_id: string | null;
  variant_landing: string | null;
  terms: string;
  retailer_id: string;
  retailer_status: RetailerStatus;
  homepage_url: string;
  tracks_min: number;
  tracks_max: number;
  confirms_min: number;
  confirms_max: number;
  confirms_after: RateSnapshot["tracking"]["confirmsAfter"];
  programme_id: string | null;
  network_programme_id: string;
  programme_link: string | null;
  programme_landing: string;
  valid_domains: string[];
  network_id: string;
  network_slug: string;
  member_share_bp: number;
}

const retailerColumns = sql`
  r.id as retailer_id, r.status as retailer_status, r.homepage_url, r.tracks_within_days_min as tracks_min, r.tracks_within_days_max as tracks_max,
  r.confirms_within_days_min as confirms_min, r.confirms_within_days_max as confirms_max, r.confirms_after,
  p.id as programme_id, p.network_programme_id, p.programme_link, p.landing_url as programme_landing, p.valid_domains,
  n.id as network_id, n.slug as network_slug, n.member_share_bp`;

/**
 * Returns where the deal link of an offer leads, for members of a brand (linking-programme.server.ts). An unknown variant is ignored: the link of the offer itself still applies.
 */
export async function findOfferTarget(
  db: Db,
  wanted: { brandId: string; publicId: string; variantPublicId: string | null; now: Date },
): Promise<ClickTargetFinding> {
  const { rows } = await sql<TargetRow>`
    select o.slug, o.id as offer_id, o.kind, o.title, o.status as offer_status, o.starts_at, o.ends_at, o.landing_url as offer_landing,
      o.network_id is null as is_clubs_own,
      v.id as variant_id, v.landing_url as variant_landing, concat_ws(E'\n', r.terms, o.terms, o.exclusions) as terms, ${retailerColumns}
    from offers o
    join retailers r on r.id = o.retailer_id
    join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${wanted.brandId}
    left join offer_variants v on v.offer_id = o.id and v.public_id = ${wanted.variantPublicId}
    left join lateral (${linkingProgramme(sql`linking.*`)}) p on true
    left join networks n on n.id = p.network_id
    where o.public_id = ${wanted.publicId}
      and (not exists (select from offer_brands where offer_id = o.id) or exists (select from offer_brands where offer_id = o.id and brand_id = ${wanted.brandId}))`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return { outcome: "unknown" };
  const state = offerState(
    { status: row.offer_status!, startsAt: row.starts_at!, endsAt: row.ends_at, retailerStatus: row.retailer_status },
    wanted.now,
  );
  if (linkOf(row) === null || state === "withdrawn") return { outcome: "closed", slug: row.slug };
  if (state !== "live")
    return { outcome: "closed", slug: row.slug, dates: { startsAt: row.starts_at, endsAt: row.ends_at } };
  return toFinding(db, row);
}

/**
 * Returns where the deal link of a retailer leads, for members of a brand: to the landing page of its preferred programme. An old address of one that
 * was merged leads where the one that stays leads.
 */
export async function findRetailerTarget(
  db: Db,
  wanted: { brandId: string; slug: string },
): Promise<ClickTargetFinding> {
  const { rows } = await sql<TargetRow>`
    select r.slug, null as offer_id, null as kind, null as title, null as offer_status, null as starts_at, null as ends_at,
      null as offer_landing, false as is_clubs_own, null as variant_id, null as variant_landing, r.terms, ${retailerColumns}
    from retailers r
    join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${wanted.brandId}
    left join lateral (
      select * from programmes where retailer_id = r.id and status = 'joined' order by is_preferred desc, id limit 1
    ) p on true
    left join networks n on n.id = p.network_id
    where r.id = ${retailerAt(wanted.slug)}`.execute(db);
  const row = rows[0];
  if (!row) return { outcome: "unknown" };
  if (row.retailer_status !== "active") return { outcome: "closed", slug: row.slug };
  return toFinding(db, row);
}

/** Returns how and where the link of a row leads; null where it can't be followed. */
function linkOf(row: TargetRow) {
  return chooseDealLink({
    kind: row.kind,
    candidates: [row.variant_landing, row.offer_landing],
    programme:
      row.programme_id === null ? null : { landingUrl: row.programme_landing, validDomains: row.valid_domains },
    isClubsOwn: row.is_clubs_own,
    homepageUrl: row.homepage_url,
  });
}

async function toFinding(db: Db, row: TargetRow): Promise<ClickTargetFinding> {
  const link = linkOf(row);
  if (link === null) return { outcome: "closed", slug: row.slug };
  const { landingUrl } = link;
  if (link.as === "untracked" || row.programme_id === null) {
    const dates = { startsAt: row.starts_at, endsAt: row.ends_at };
    return { outcome: "untracked", slug: row.slug, landingUrl, dates };
  }
  const tiers = await findTiers(db, row.programme_id);
  const target: ClickTarget = {
    slug: row.slug,
    retailerId: row.retailer_id,
    programmeId: row.programme_id,
    networkId: row.network_id,
    networkSlug: row.network_slug,
    networkProgrammeId: row.network_programme_id,
    programmeLink: row.programme_link,
    offerId: row.offer_id,
    offerVariantId: row.variant_id,
    landingUrl,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    tiers,
    offerTitle: row.title,
    memberShareBp: row.member_share_bp,
    tracking: {
      tracksWithinDays: { min: row.tracks_min, max: row.tracks_max },
      confirmsWithinDays: { min: row.confirms_min, max: row.confirms_max },
      confirmsAfter: row.confirms_after,
    },
    terms: row.terms,
    termsHash: createHash("sha256")
      .update(JSON.stringify([row.terms, tiers.map((tier) => [tier.groupId, tier.label, tier.basis, tier.capPence])]))
      .digest("hex"),
  };
  return { outcome: "found", target };
}

async function findTiers(db: Db, programmeId: string): Promise<FreezableTier[]> {
  const [tiers, boosts] = await Promise.all([
    db
      .selectFrom("rate_tiers")
      .selectAll()
      .where("programme_id", "=", programmeId)
      .orderBy("position")
      .orderBy("id")
      .execute(),
    db
      .selectFrom("boosts")
      .innerJoin("rate_tiers", "rate_tiers.id", "boosts.rate_tier_id")
      .selectAll("boosts")
      .where("rate_tiers.programme_id", "=", programmeId)
      .execute(),
  ]);
  return tiers.map((tier) => ({
    groupId: tier.network_group_id,
    label: tier.label,
    basis: tier.basis,
    rateKind: tier.rate_kind as "percent" | "fixed",
    memberRateBp: tier.member_rate_bp,
    memberRatePence: tier.member_rate_pence,
    capPence: tier.cap_pence,
    boosts: boosts
      .filter((boost) => boost.rate_tier_id === tier.id)
      .map((boost) => ({
        memberRateBp: boost.member_rate_bp,
        memberRatePence: boost.member_rate_pence,
        startsAt: boost.starts_at,
        endsAt: boost.ends_at,
      })),
  }));
}
