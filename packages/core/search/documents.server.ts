import type { Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

/** Part of every source hash. Raise it when the text of documents changes, so that all are parsed again. */
const DOCUMENT_VERSION = "1";

/** The names of the retailers that were merged into `r`: people go on searching for them (A2). Null: none. */
const formerNames = sql`(select string_agg(merged.name, ' ' order by merged.id) from retailers merged where merged.merged_into_id = r.id)`;

/** The words and facts of retailers that can be found, with the hash of the words. `only` narrows retailers `r`. */
export function sourceRetailers(only: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  return sql`
      select *, md5(concat_ws(chr(1), ${DOCUMENT_VERSION}::text, name, categories, info, former)) as source_hash from (
      select r.id, r.name, ${formerNames} as former, left(r.short_info, 400) as info, r.popularity,
        (select array_agg(br.brand_id order by br.brand_id) from brand_retailers br where br.retailer_id = r.id) as brand_ids,
        coalesce((select string_agg(c.name, ' ' order by c.position, c.id) from retailer_categories rc join categories c on c.id = rc.category_id
                  where rc.retailer_id = r.id), '') as categories
      from retailers r where r.status = 'active' and ${only}) as retailers
    where brand_ids is not null`;
}

/** The same of offers that have not ended. `only` narrows offers `o`. */
export function sourceOffers(now: Date, only: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  return sql`
      select *, md5(concat_ws(chr(1), ${DOCUMENT_VERSION}::text, title, retailer, categories, body)) as source_hash from (
      select o.id, o.retailer_id, o.title || ' ' || o.headline as title, concat_ws(' ', r.name, ${formerNames}) as retailer, left(o.description, 600) as body,
        o.starts_at, o.ends_at, o.popularity, o.kind,
        array(select oc.category_id from offer_categories oc where oc.offer_id = o.id order by oc.category_id) as category_ids,
        (select array_agg(br.brand_id order by br.brand_id) from brand_retailers br
         where br.retailer_id = o.retailer_id
           and (not exists (select from offer_brands ob where ob.offer_id = o.id)
                or exists (select from offer_brands ob where ob.offer_id = o.id and ob.brand_id = br.brand_id))
           and (o.kind <> 'app_exclusive' or br.brand_id in (select id from brands_with_app()))) as brand_ids,
        coalesce((select string_agg(c.name, ' ' order by c.position, c.id) from offer_categories oc join categories c on c.id = oc.category_id
                  where oc.offer_id = o.id), '') as categories
      from offers o join retailers r on r.id = o.retailer_id
      where o.status = 'live' and r.status = 'active' and (o.ends_at is null or o.ends_at > ${now}) and ${only}) as offers
    where brand_ids is not null`;
}

/** The document of a row of `sourceRetailers`. */
export const retailerDocument = sql`setweight(to_tsvector('farthing', search_fold(concat_ws(' ', name, former))), 'A') || setweight(to_tsvector('farthing', search_fold(categories)), 'C')
          || setweight(to_tsvector('farthing', search_fold(info)), 'D')`;

/** The document of a row of `sourceOffers`. */
export const offerDocument = sql`setweight(to_tsvector('farthing', search_fold(title)), 'A') || setweight(to_tsvector('farthing', search_fold(retailer)), 'B')
          || setweight(to_tsvector('farthing', search_fold(categories)), 'C') || setweight(to_tsvector('farthing', search_fold(body)), 'D')`;

/** The cumulative sizes of the tiers of popularity: search reads the most popular documents first. The last tier has all others. */
const OFFER_TIERS = [2_000, 10_000, 42_000];
const RETAILER_TIERS = [1_000];
export const LAST_OFFER_TIER = OFFER_TIERS.length;

/** Puts every document into its tier. Equal popularity is in one tier, so that each tier is more popular than the next. */
export async function assignTiers(trx: Trx): Promise<void> {
  await assignTier(trx, { table: "search_offers", id: "offer_id", sizes: OFFER_TIERS });
  await assignTier(trx, { table: "search_retailers", id: "retailer_id", sizes: RETAILER_TIERS });
}

async function assignTier(
  trx: Trx,
  { table, id, sizes }: { table: "search_offers" | "search_retailers"; id: string; sizes: number[] },
): Promise<void> {
  const tier = sql.join(
    sizes.map((size) => sql`(place > ${size})::integer`),
    sql` + `,
  );
  await sql`update ${sql.table(table)} s set tier = placed.tier
    from (select id, ${tier} as tier from (
      select ${sql.ref(id)} as id, count(*) over (order by popularity desc) as place from ${sql.table(table)}) counted) placed
    where placed.id = s.${sql.ref(id)} and s.tier <> placed.tier`.execute(trx);
}

/** The tier of a row of `sourceOffers` or `sourceRetailers` between two indexings: that of the next less popular document. */
export function tierBetween(table: "search_offers" | "search_retailers"): RawBuilder<unknown> {
  const last = table === "search_offers" ? LAST_OFFER_TIER : RETAILER_TIERS.length;
  return sql`coalesce((select below.tier from ${sql.table(table)} below where below.popularity <= source.popularity
    order by below.popularity desc limit 1), ${sql.lit(last)})`;
}
