import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countClicks, type ClickCount } from "../../clicks/count-clicks.server.ts";
import type { RetailerStatus } from "../catalogue-view.ts";
import { findRetailerRecord, type RetailerRecord } from "./find-retailer-record.server.ts";

/** What a merge of one retailer into another concerns. All counts are of the one that is merged. */
export interface MergePreview {
  from: RetailerRecord;
  into: RetailerRecord;
  offers: { live: number; withdrawn: number };
  pools: { pools: number; codes: number };
  giftCards: number;
  favourites: { all: number; atBoth: number };
  alerts: { all: number; atBoth: number };
  /** Names that the one that stays gets. */
  categories: string[];
  brands: string[];
  /** The programme that builds the links afterwards; null: neither has one. */
  links: { network: string; number: string } | null;
  hasClaimRule: { from: boolean; into: boolean };
  claims: { open: number; over: number };
  /** Of the last year, as last worked out. */
  purchases: number;
  clicks: ClickCount;
  seen: string;
}

/** The order of two retailers' programmes: first that which builds the links, of the one that stays if it is joined there. One that is joined comes before all that are not. */
export const preferredFirst = (into: string) => sql`(status = 'joined' and is_preferred) desc, (status = 'joined') desc,
  (retailer_id = ${into}) desc, is_preferred desc, id`;

/** Returns the hash of what somebody looks at before a merge: a change of either record makes it another. */
export function mergeFingerprint(from: RetailerRecord, into: RetailerRecord): string {
  const facts = [from, into].map(({ fingerprint, programmes, merged }) => [fingerprint, programmes, merged]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 22);
}

/** Returns what a merge would do (A2); null: one of the two does not exist, was merged already, or they are the same. */
export async function findMerge(
  db: Db,
  { slug, into: place }: { slug: string; into: string },
): Promise<MergePreview | null> {
  const [from, into] = await Promise.all([findRetailerRecord(db, { slug }), findRetailerRecord(db, { slug: place })]);
  if (!from || !into || from.mergedInto || into.mergedInto || from.id === into.id) return null;
  const both = (table: string) => sql`(select json_build_object('all', count(*), 'atBoth', count(other.member_id))
    from ${sql.table(table)} one left join ${sql.table(table)} other on other.member_id = one.member_id and other.retailer_id = ${into.id}
    where one.retailer_id = ${from.id})`;
  type Counts = Omit<MergePreview, "from" | "into" | "clicks" | "seen">;
  const { rows } = await sql<Counts>`
    select (select json_build_object('live', count(*) filter (where status = 'live'), 'withdrawn', count(*) filter (where status <> 'live'))
        from offers where retailer_id = ${from.id}) as offers,
      (select json_build_object('pools', count(distinct code.offer_id), 'codes', count(*)) from offers offer
        join offer_codes code on code.offer_id = offer.id and code.code_kind = 'pool' where offer.retailer_id = ${from.id}) as pools,
      (select count(*) from gift_card_products where retailer_id = ${from.id}) as "giftCards",
      ${both("favourite_retailers")} as favourites, ${both("rate_alerts")} as alerts,
      array(select category.name from retailer_categories filed join categories category on category.id = filed.category_id
        where filed.retailer_id = ${from.id}
          and filed.category_id not in (select category_id from retailer_categories where retailer_id = ${into.id}) order by 1) as categories,
      array(select brand.name from brand_retailers shown join brands brand on brand.id = shown.brand_id
        where shown.retailer_id = ${from.id}
          and shown.brand_id not in (select brand_id from brand_retailers where retailer_id = ${into.id}) order by 1) as brands,
      (select json_build_object('network', (select name from networks where id = network_id), 'number', network_programme_id)
        from programmes where retailer_id in (${from.id}, ${into.id}) order by ${preferredFirst(into.id)} limit 1) as links,
      json_build_object('from', exists (select from claim_rules where retailer_id = ${from.id}),
        'into', exists (select from claim_rules where retailer_id = ${into.id})) as "hasClaimRule",
      (select json_build_object('open', count(*) filter (where state in ('waiting', 'incomplete', 'open', 'filed', 'accepted')),
          'over', count(*) filter (where state not in ('waiting', 'incomplete', 'open', 'filed', 'accepted')))
        from claims where retailer_id = ${from.id}) as claims,
      coalesce((select purchases from retailer_scorecards where retailer_id = ${from.id}), 0) as purchases`.execute(db);
  const seen = mergeFingerprint(from, into);
  return { from, into, ...rows[0]!, clicks: await countClicks(db, { retailerIds: [from.id] }), seen };
}

/** A retailer that another can be merged into. */
export interface MergeChoice {
  slug: string;
  name: string;
  status: RetailerStatus;
  networks: string[];
  liveOffers: number;
}

const MAX_CHOICES = 20;

/** Returns the retailers with a part of a name or an address; without words, those whose names look like this one's. */
export async function findMergeChoices(
  db: Db,
  { slug, words }: { slug: string; words: string },
): Promise<MergeChoice[]> {
  const like = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<MergeChoice>`
    select retailer.slug, retailer.name, retailer.status,
      array(select n.name from programmes p join networks n on n.id = p.network_id
        where p.retailer_id = retailer.id order by p.is_preferred desc, n.name) as networks,
      (select count(*) from offers o where o.retailer_id = retailer.id and o.status = 'live') as "liveOffers"
    from retailers retailer, (select lower(name) as name from retailers where slug = ${slug}) this
    where retailer.merged_into_id is null and retailer.slug <> ${slug}
      and ${words === "" ? sql`lower(retailer.name) % this.name` : sql`(lower(retailer.name) like ${like} or retailer.slug = ${words})`}
    order by similarity(lower(retailer.name), this.name) desc, retailer.name, retailer.id limit ${MAX_CHOICES}`.execute(
    db,
  );
  return rows;
}
