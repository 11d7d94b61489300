import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { NewClick } from "./click-recorder.server.ts";
import { takeRateSnapshot, type RateSnapshot } from "./rate-snapshot.ts";

const unique = () => randomBytes(5).toString("hex");

export interface ShopForTests {
  retailerId: string;
  retailerSlug: string;
  programmeId: string;
  networkProgrammeId: string;
  offerId: string;
  offerPublicId: string;
  offerSlug: string;
  tierIds: Record<string, string>;
}

export interface TierForTests {
  groupId: string;
  rateBp?: number;
  fixedPence?: number;
  capPence?: number;
}

/** Inserts a retailer that the brand shows, joined on the network, with rate tiers (6 % by default) and one live cashback offer. */
export async function makeShop(
  db: Db,
  {
    brandId,
    networkId,
    tiers = [{ groupId: "101", rateBp: 600 }],
    currency = "GBP",
    offer = {},
    retailer = {},
  }: {
    brandId: string;
    networkId: string;
    tiers?: TierForTests[];
    currency?: string;
    offer?: {
      kind?: string;
      starts_at?: Date;
      ends_at?: Date | null;
      landing_url?: string;
      status?: string;
      programme?: boolean;
    };
    retailer?: { status?: string; confirms_after?: string };
  },
): Promise<ShopForTests> {
  const retailerSlug = `shop-${unique()}`;
  const [retailerId, programmeId, offerId] = [newId(), newId(), newId()];
  const home = `https://${retailerSlug}.example/`;
  const { programme = true, ...offerColumns } = offer;
  await db
    .insertInto("retailers")
    .values({
      id: retailerId,
      slug: retailerSlug,
      name: retailerSlug,
      homepage_url: home,
      terms: "Not on gift cards.",
      tracks_within_days_min: 1,
      tracks_within_days_max: 3,
      confirms_within_days_min: 35,
      confirms_within_days_max: 75,
      ...retailer,
    })
    .execute();
  await db.insertInto("brand_retailers").values({ brand_id: brandId, retailer_id: retailerId }).execute();
  const networkProgrammeId = String(parseInt(unique(), 16));
  await db
    .insertInto("programmes")
    .values({
      id: programmeId,
      network_id: networkId,
      network_programme_id: networkProgrammeId,
      retailer_id: retailerId,
      name: retailerSlug,
      currency,
      status: "joined",
      landing_url: home,
      valid_domains: [`${retailerSlug}.example`],
    })
    .execute();
  const tierIds: Record<string, string> = {};
  for (const [position, tier] of tiers.entries()) {
    tierIds[tier.groupId] = newId();
    await db
      .insertInto("rate_tiers")
      .values({
        id: tierIds[tier.groupId]!,
        programme_id: programmeId,
        network_group_id: tier.groupId,
        label: tier.groupId,
        position,
        rate_kind: tier.fixedPence === undefined ? "percent" : "fixed",
        member_rate_bp: tier.rateBp ?? null,
        member_rate_pence: tier.fixedPence ?? null,
        cap_pence: tier.capPence ?? null,
      })
      .execute();
  }
  const { public_id: offerPublicId } = await db
    .insertInto("offers")
    .values({
      id: offerId,
      slug: `${retailerSlug}-offer`,
      retailer_id: retailerId,
      programme_id: programme ? programmeId : null,
      network_id: networkId,
      network_offer_id: unique(),
      kind: "cashback",
      title: "Cashback on everything",
      landing_url: `${home}sale?from=club`,
      starts_at: new Date("2026-01-01"),
      ...offerColumns,
    })
    .returning("public_id")
    .executeTakeFirstOrThrow();
  return {
    retailerId,
    retailerSlug,
    programmeId,
    networkProgrammeId,
    offerId,
    offerPublicId,
    offerSlug: `${retailerSlug}-offer`,
    tierIds,
  };
}

export const TRACKING: RateSnapshot["tracking"] = {
  tracksWithinDays: { min: 1, max: 3 },
  confirmsWithinDays: { min: 35, max: 75 },
  confirmsAfter: "purchase",
};

/** Returns a click of a member at a shop, with a snapshot of the tiers at `createdAt`. */
export function clickAt(
  shop: ShopForTests,
  {
    brandId,
    memberId,
    networkId,
    createdAt = new Date(),
    tiers = [{ groupId: "101", rateBp: 600 }],
    memberShareBp = 7000,
    tracking = TRACKING,
  }: {
    brandId: string;
    memberId: string;
    networkId: string;
    createdAt?: Date;
    tiers?: TierForTests[];
    memberShareBp?: number;
    tracking?: RateSnapshot["tracking"];
  },
): NewClick {
  return {
    brandId,
    memberId,
    networkId,
    retailerId: shop.retailerId,
    programmeId: shop.programmeId,
    offerId: shop.offerId,
    offerVariantId: null,
    targetUrl: `https://${shop.retailerSlug}.example/`,
    preFlight: null,
    termsHash: "0".repeat(64),
    createdAt,
    rateSnapshot: takeRateSnapshot(
      {
        offerTitle: "Cashback on everything",
        memberShareBp,
        tracking,
        tiers: tiers.map((tier) => ({
          groupId: tier.groupId,
          label: tier.groupId,
          basis: "",
          rateKind: tier.fixedPence === undefined ? ("percent" as const) : ("fixed" as const),
          memberRateBp: tier.rateBp ?? null,
          memberRatePence: tier.fixedPence ?? null,
          capPence: tier.capPence ?? null,
          boosts: [],
        })),
      },
      createdAt,
    ),
  };
}
