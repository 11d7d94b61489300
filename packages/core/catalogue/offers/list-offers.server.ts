import { sql, type RawBuilder } from "kysely";
import { contains } from "../../lists/contains.ts";
import type { ListQuery } from "../../lists/find-list-page.server.ts";
import type { OfferKind, RetailerStatus } from "../catalogue-view.ts";
import { THE_CLUB } from "./offer-source.ts";
import { retailerAt } from "../retailers/retailer-at.server.ts";

/** An offer as operators list it. */
export interface ListedOffer {
  publicId: string;
  title: string;
  kind: OfferKind;
  retailer: string;
  retailerSlug: string;
  retailerStatus: RetailerStatus;
  /** Where it came from; null: the club made it. */
  network: string | null;
  status: "live" | "withdrawn";
  startsAt: Date;
  endsAt: Date | null;
  changedAt: Date;
}

export type OfferListSort = "changed" | "title" | "ends";

/** The filters, as they are typed; one that is missing does not narrow. */
export interface OfferFilters {
  /** Words of the title or the retailer's name, the offer's id, or its number at the network. */
  q?: string;
  /** A retailer's slug. */
  retailer?: string;
  /** Slugs. */
  brand?: string;
  category?: string;
  /** A network's slug, or THE_CLUB for offers that the club has made. */
  network?: string;
  kind?: string;
  /** "live", "upcoming", "ended" or "withdrawn". */
  state?: string;
}

/** Returns how offers are listed and found (A2). */
export function offerList(filters: OfferFilters, now: Date): ListQuery<OfferListSort> {
  const { q, retailer, brand, category, network, kind, state } = filters;
  const where: RawBuilder<unknown>[] = [];
  if (q) where.push(sql`offer.id in (${found(q)})`);
  if (retailer) where.push(sql`offer.retailer_id = ${retailerAt(retailer)}`);
  if (kind) where.push(sql`offer.kind = ${kind}`);
  if (category)
    where.push(sql`exists (select from offer_categories filed where filed.offer_id = offer.id
      and filed.category_id = (select id from categories where slug = ${category}))`);
  if (network === THE_CLUB) where.push(sql`offer.network_id is null`);
  else if (network) where.push(sql`offer.network_id = (select id from networks where slug = ${network})`);
  if (brand) where.push(isShownBy(brand));
  if (state) where.push(isIn(state, now));
  return {
    from: sql`offers offer join retailers retailer on retailer.id = offer.retailer_id
      left join networks network on network.id = offer.network_id`,
    select: sql`offer.public_id as "publicId", offer.title, offer.kind, retailer.name as retailer,
      retailer.slug as "retailerSlug", retailer.status as "retailerStatus", network.name as network, offer.status,
      offer.starts_at as "startsAt", offer.ends_at as "endsAt", offer.updated_at as "changedAt"`,
    where,
    sorts: {
      changed: { by: sql`offer.updated_at`, type: "timestamptz" },
      title: { by: sql`lower(offer.title)`, type: "text" },
      ends: { by: sql`coalesce(offer.ends_at, 'infinity'::timestamptz)`, type: "timestamptz" },
    },
    id: { by: sql`offer.id`, type: "uuid" },
  };
}

/** An offer is on a brand's site if its retailer is, it is not reserved for others, and it is not for an app that the brand lacks (live_offers.sql). */
function isShownBy(slug: string): RawBuilder<unknown> {
  return sql`exists (select from brands brand
      join brand_retailers shown on shown.brand_id = brand.id and shown.retailer_id = offer.retailer_id
      where brand.slug = ${slug} and (not exists (select from offer_brands reserved where reserved.offer_id = offer.id)
        or exists (select from offer_brands ours where ours.offer_id = offer.id and ours.brand_id = brand.id))
        and (offer.kind <> 'app_exclusive' or brand.id in (select id from brands_with_app())))`;
}

function isIn(state: string, now: Date): RawBuilder<unknown> {
  switch (state) {
    case "live":
      return sql`offer.status = 'live' and offer.starts_at <= ${now} and (offer.ends_at is null or offer.ends_at > ${now})`;
    case "upcoming":
      return sql`offer.status = 'live' and offer.starts_at > ${now}`;
    case "ended":
      return sql`offer.ends_at <= ${now}`;
    case "withdrawn":
      return sql`offer.status = 'withdrawn'`;
    default:
      return sql`false`;
  }
}

/** Where more are found, more letters are needed; without a bound one letter would read every offer. */
const MAX_FOUND = 1_000;

/** The ids of offers that the words may mean. Each branch has an index. */
function found(q: string): RawBuilder<unknown> {
  return sql`
    (select id from offers where public_id = ${q})
    union (select id from offers where network_offer_id in (${q}, ${q.toLowerCase()}, ${q.toUpperCase()}) limit ${MAX_FOUND})
    union (select id from offers where ${contains(sql`lower(title)`, q)} limit ${MAX_FOUND})
    union (select named.id from offers named where named.retailer_id in (
      select id from retailers where ${contains(sql`lower(name)`, q)} limit ${MAX_FOUND}) limit ${MAX_FOUND})`;
}
