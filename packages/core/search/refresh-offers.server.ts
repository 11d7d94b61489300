import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { offerDocument, retailerDocument, sourceOffers, sourceRetailers, tierBetween } from "./documents.server.ts";

/**
 * Brings the search documents of some offers up to date, in the transaction of their change: a withdrawn offer is not found a
 * moment longer. The words and the counts of categories follow with the next indexCatalogue.
 *
 * The caller has locked the offers, and before them their retailers (lockRetailerOf), so that a save of the retailer, which
 * refreshes all of them, and a save of one offer take turns.
 */
export async function refreshOffers(
  db: Db | Trx,
  { offerIds, now }: { offerIds: readonly string[]; now: Date },
): Promise<void> {
  if (offerIds.length === 0) return;
  await refreshed(db, { now, only: sql`o.id = any(${[...offerIds]}::uuid[])` });
}

/** The same for retailers, which the caller has locked for update, and all their offers, which have the retailer's name in their documents. */
export async function refreshRetailers(
  db: Db | Trx,
  { retailerIds, now }: { retailerIds: readonly string[]; now: Date },
): Promise<void> {
  if (retailerIds.length === 0) return;
  const ids = sql`any(${[...retailerIds]}::uuid[])`;
  await sql`delete from search_retailers where retailer_id = ${ids}`.execute(db);
  // The index may have written the same documents meanwhile.
  await sql`insert into search_retailers (retailer_id, name_folded, document, brand_ids, popularity, source_hash, tier)
    select id, search_fold(name), ${retailerDocument}, brand_ids, popularity, source_hash, ${tierBetween("search_retailers")}
    from (${sourceRetailers(sql`r.id = ${ids}`)}) source
    on conflict (retailer_id) do update set name_folded = excluded.name_folded, document = excluded.document, brand_ids = excluded.brand_ids,
      popularity = excluded.popularity, source_hash = excluded.source_hash, tier = excluded.tier`.execute(db);
  await refreshed(db, { now, only: sql`o.retailer_id = ${ids}` });
}

async function refreshed(db: Db | Trx, { now, only }: { now: Date; only: RawBuilder<unknown> }): Promise<void> {
  await sql`delete from search_offers where offer_id in (select o.id from offers o where ${only})`.execute(db);
  await sql`insert into search_offers
      (offer_id, retailer_id, document, brand_ids, starts_at, ends_at, popularity, kind, category_ids, source_hash, tier)
    select id, retailer_id, ${offerDocument}, brand_ids, starts_at, ends_at, popularity, kind, category_ids, source_hash,
      ${tierBetween("search_offers")}
    from (${sourceOffers(now, only)}) source
    on conflict (offer_id) do update set retailer_id = excluded.retailer_id, document = excluded.document, brand_ids = excluded.brand_ids,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, popularity = excluded.popularity, kind = excluded.kind,
      category_ids = excluded.category_ids, source_hash = excluded.source_hash, tier = excluded.tier`.execute(db);
}
