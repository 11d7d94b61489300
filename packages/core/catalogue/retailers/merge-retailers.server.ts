import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { keepImportsOut } from "../../catalogue-imports/import-lock.server.ts";
import { findRetailerTroubles, planTroubleNotices } from "../../gift-cards/wallet-notices.server.ts";
import { refreshRetailers } from "../../search/refresh-offers.server.ts";
import { mergeFingerprint, preferredFirst } from "./find-merge.server.ts";
import { findRetailerRecord } from "./find-retailer-record.server.ts";

export type RetailerMerge =
  | { outcome: "merged" }
  /** `unknown`: one of the two does not exist. `self`: they are the same. `stale`: one was changed since `seen`. `busy`: an import runs. */
  | { outcome: "unknown" | "self" | "stale" | "busy" }
  /** One of the two was merged already, into the retailer at `place`. */
  | { outcome: "already"; slug: string; place: string };

/**
 * Merges a retailer into another record of the same shop (A2), in one transaction: offers, programmes, favourites and all else of
 * retailer-references.ts. The merged one keeps its address, which leads to the one that stays, and its name, which receipts show.
 * Merges take turns. Retailers that were merged into this one lead to the one that stays in one step.
 * @param seen what somebody has looked at (find-merge.server.ts)
 */
export async function mergeRetailers(
  db: Db,
  { slug, into, seen, now }: { slug: string; into: string; seen: string; now: Date },
): Promise<RetailerMerge> {
  return await db.transaction().execute(async (trx): Promise<RetailerMerge> => {
    if (slug === into) return { outcome: "self" };
    await sql`select pg_advisory_xact_lock(hashtext('farthing retailer merge'))`.execute(trx);
    if (!(await keepImportsOut(trx))) return { outcome: "busy" };
    // A transaction that adds a row to either retailer waits until the merge commits (follow_merged_retailer.sql).
    await sql`select from retailers where slug in (${slug}, ${into}) order by id for update`.execute(trx);
    const [from, place] = [await findRetailerRecord(trx, { slug }), await findRetailerRecord(trx, { slug: into })];
    if (!from || !place) return { outcome: "unknown" };
    for (const { slug: one, mergedInto } of [from, place])
      if (mergedInto) return { outcome: "already", slug: one, place: mergedInto.slug };
    if (mergeFingerprint(from, place) !== seen) return { outcome: "stale" };
    const before = await findRetailerTroubles(trx, [from.id, place.id]);
    await move(trx, { from: from.id, into: place.id, now });
    await refreshRetailers(trx, { retailerIds: [from.id, place.id], now });
    await planTroubleNotices(trx, { before, now });
    return { outcome: "merged" };
  });
}

async function move(trx: Trx, { from, into, now }: { from: string; into: string; now: Date }): Promise<void> {
  const ofBoth = sql`retailer_id in (${from}, ${into})`;
  const { rows } = await sql<{ id: string }>`
    select id from programmes where ${ofBoth} order by ${preferredFirst(into)} limit 1`.execute(trx);
  const preferred = rows[0]?.id ?? null;
  const statements: RawBuilder<unknown>[] = [
    sql`update retailers set merged_into_id = ${into}, merged_at = ${now}, status = 'closed', updated_at = ${now} where id = ${from}`,
    sql`update retailers set merged_into_id = ${into} where merged_into_id = ${from}`,
    sql`update retailers set updated_at = ${now} where id = ${into}`,
    sql`update offers set retailer_id = ${into}, updated_at = ${now} where retailer_id = ${from}`,
    // Exactly one programme builds the links and says what is paid.
    sql`update programmes set is_preferred = false where ${ofBoth} and is_preferred and id <> ${preferred}`,
    sql`update programmes set retailer_id = ${into}, updated_at = ${now} where retailer_id = ${from}`,
    sql`update programmes set is_preferred = true, updated_at = ${now} where id = ${preferred} and not is_preferred`,
    sql`with gone as (delete from retailer_categories where retailer_id = ${from} returning category_id, is_main)
      insert into retailer_categories (retailer_id, category_id, is_main)
      select ${into}, category_id, is_main and not exists (select from retailer_categories where retailer_id = ${into} and is_main) from gone
      on conflict (retailer_id, category_id) do update set is_main = true where excluded.is_main`,
    sql`with gone as (delete from brand_retailers where retailer_id = ${from} returning brand_id, is_featured)
      insert into brand_retailers (brand_id, retailer_id, is_featured) select brand_id, ${into}, is_featured from gone
      on conflict (brand_id, retailer_id) do update set is_featured = true where excluded.is_featured`,
    sql`with gone as (delete from favourite_retailers where retailer_id = ${from} returning member_id, created_at)
      insert into favourite_retailers (member_id, retailer_id, created_at) select member_id, ${into}, created_at from gone
      on conflict (member_id, retailer_id) do update set created_at = least(favourite_retailers.created_at, excluded.created_at)`,
    // A member with alerts at both keeps the one at the remaining retailer, whose rate goes on.
    sql`update rate_alerts moved set retailer_id = ${into} where retailer_id = ${from}
      and not exists (select from rate_alerts other where other.member_id = moved.member_id and other.retailer_id = ${into})`,
    sql`delete from rate_alerts where retailer_id = ${from}`,
    sql`update claim_rules set retailer_id = ${into} where retailer_id = ${from}
      and not exists (select from claim_rules where retailer_id = ${into})`,
    sql`delete from claim_rules where retailer_id = ${from}`,
    sql`update gift_card_products set retailer_id = ${into},
        category_id = (select category_id from retailer_categories where retailer_id = ${into} and is_main)
      where retailer_id = ${from}`,
    // The worker makes them anew for the one that stays, with the purchases of both.
    sql`delete from retailer_scorecards where retailer_id = ${from}`,
    sql`delete from cashback_timings where subject_id = ${from}`,
  ];
  for (const statement of statements) await statement.execute(trx);
}
