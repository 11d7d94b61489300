import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { OfferCard, OfferPage, RetailerCard, RetailerStatus } from "../catalogue/catalogue-view.ts";
import { offerCardColumns, toOfferCard, type OfferCardRow } from "../catalogue/offers/offer-cards.server.ts";
import {
  retailerCardColumns,
  toRetailerCard,
  type RetailerCardRow,
} from "../catalogue/retailers/retailer-cards.server.ts";
import { offerState } from "../catalogue/rules.ts";
import { MAX_FAVOURITES } from "./max-favourites.ts";
import type { FavouriteKey } from "./schema.ts";

/**
 * Returns the keys of all favourites and alerts of a member: one read of three small indexes per page, however many
 * cards it has.
 */
export async function findFavouriteKeys(db: Db, { memberId }: { memberId: string }): Promise<FavouriteKey[]> {
  const { rows } = await sql<{ keys: FavouriteKey[] }>`${keepPlan}
    select array(select 'offer/' || o.public_id from favourite_offers f join offers o on o.id = f.offer_id where f.member_id = ${memberId})
      || array(select 'retailer/' || r.slug from favourite_retailers f join retailers r on r.id = f.retailer_id where f.member_id = ${memberId})
      || array(select 'alert/' || r.slug from rate_alerts a join retailers r on r.id = a.retailer_id where a.member_id = ${memberId})
      as keys`.execute(db);
  return rows[0]?.keys ?? [];
}

/**
 * A favourite offer with what can be done with it; ended offers stay until the member removes them. One for an app that the
 * brand does not have is withdrawn here.
 */
export type KeptOffer = OfferCard & { state: OfferPage["state"] };

interface KeptOfferRow extends OfferCardRow {
  status: "live" | "withdrawn";
  starts_at: Date;
  retailer_status: RetailerStatus;
}

/** Returns a member's favourite offers of this brand, latest first. */
export function listFavouriteOffers(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<KeptOffer[]> {
  return listKept(db, { brandId, memberId, now, table: "favourite_offers", at: "created_at", max: MAX_FAVOURITES });
}

/** Number of offers that are shown as recently viewed, and stored. */
export const MAX_VIEWED = 24;

/** Returns the live offers that a member viewed recently, latest first (D10). */
export async function listViewedOffers(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<OfferCard[]> {
  const offers = await listKept(db, {
    brandId,
    memberId,
    now,
    table: "viewed_offers",
    at: "viewed_at",
    max: MAX_VIEWED,
  });
  return offers.filter(({ state }) => state === "live");
}

async function listKept(
  db: Db,
  {
    brandId,
    memberId,
    now,
    table,
    at,
    max,
  }: { brandId: string; memberId: string; now: Date; table: string; at: string; max: number },
): Promise<KeptOffer[]> {
  const { rows } = await sql<KeptOfferRow>`${keepPlan}
    select ${offerCardColumns(brandId, now)}, o.starts_at,
      case when o.kind = 'app_exclusive' and not exists (select from brands_with_app() b where b.id = ${brandId}) then 'withdrawn' else o.status end as status, r.status as retailer_status
    from ${sql.table(table)} k join offers o on o.id = k.offer_id join retailers r on r.id = o.retailer_id
      join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    where k.member_id = ${unseenByPlanner(memberId, "uuid")}
      and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
           or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = ${brandId}))
    order by k.${sql.ref(at)} desc, o.public_id limit ${sql.lit(max)}`.execute(db);
  return rows.map((row) => ({
    ...toOfferCard(row, now),
    state: offerState(
      { status: row.status, startsAt: row.starts_at, endsAt: row.ends_at, retailerStatus: row.retailer_status },
      now,
    ),
  }));
}

/** A favourite retailer with its status; the card of one that is not active has no rate and no live offers. */
export type KeptRetailer = RetailerCard & { status: RetailerStatus };

/**
 * Returns a member's favourite retailers of this brand, latest first; those that are paused, in administration or closed
 * stay until the member removes them.
 */
export async function listFavouriteRetailers(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<KeptRetailer[]> {
  const { rows } = await sql<RetailerCardRow & { status: RetailerStatus }>`${keepPlan}
    select ${retailerCardColumns(brandId, now)}, r.status
    from favourite_retailers f join retailers r on r.id = f.retailer_id
      join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    where f.member_id = ${unseenByPlanner(memberId, "uuid")} order by f.created_at desc, r.slug`.execute(db);
  return rows.map((row) => ({ ...toRetailerCard(row, now), status: row.status }));
}
