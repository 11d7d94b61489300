import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { endAlarmWithoutVariant, recordPoolState } from "../reveals/pool-alarms.server.ts";

export interface PoolPlan {
  /** Not in the offer yet. */
  added: string[];
  /** In the offer already, whoever has them: they are left out. */
  known: string[];
}

/** Returns which codes would be added to an offer's pool. A code is in an offer once, for whichever variant. */
export async function planPool(
  db: Db | Trx,
  { offerId, codes }: { offerId: string; codes: readonly string[] },
): Promise<PoolPlan> {
  const { rows } = await sql<{ code: string; isKnown: boolean }>`
    select given.code, exists (select from offer_codes k where k.offer_id = ${offerId} and k.code = given.code) as "isKnown"
    from unnest(${[...codes]}::text[]) with ordinality as given (code, place) order by given.place`.execute(db);
  return {
    added: rows.filter(({ isKnown }) => !isKnown).map(({ code }) => code),
    known: rows.filter(({ isKnown }) => isKnown).map(({ code }) => code),
  };
}

/**
 * Adds codes that are each for one member to an offer's pool (O4), and ends the alarm of a pool that was running out. Adding the same
 * codes again changes nothing. Returns how many are new; null for an unknown offer or variant.
 * @param variantId null: for every variant
 */
export async function fillPool(
  db: Db,
  {
    offerId,
    variantId,
    codes,
    now,
  }: { offerId: string; variantId: string | null; codes: readonly string[]; now: Date },
): Promise<number | null> {
  return await db.transaction().execute(async (trx) => {
    // Two uploads of the same codes take turns.
    const { rows } = await sql<{
      variants: string[];
    }>`select array(select id from offer_variants where offer_id = offers.id) as variants
      from offers where id = ${offerId} for update`.execute(trx);
    const [offer] = rows;
    if (!offer || (variantId !== null && !offer.variants.includes(variantId))) return null;
    const { added } = await planPool(trx, { offerId, codes });
    if (added.length === 0) return 0;
    const ids = added.map(() => newId());
    await sql`insert into offer_codes (id, offer_id, variant_id, code_kind, code)
      select id, ${offerId}, ${variantId}::uuid, 'pool', code from unnest(${ids}::uuid[], ${added}::text[]) as given (id, code)`.execute(
      trx,
    );
    const pools = offer.variants.length === 0 ? [null] : variantId === null ? offer.variants : [variantId];
    if (offer.variants.length > 0) await endAlarmWithoutVariant(trx, { offerId, now });
    for (const pool of pools) await recordPoolState(trx, { offerId, variantId: pool, now });
    // Pages say that the pool is empty: tell_of_site_content.sql is not called for codes.
    await sql`select pg_notify('site_content', '')`.execute(trx);
    return added.length;
  });
}
