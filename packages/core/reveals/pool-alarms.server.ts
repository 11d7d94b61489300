import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";

/** A pool with fewer than this percentage of its codes left is low. */
const LOW_PERCENT = 5;

/**
 * Records for operators that a pool is low or empty (O4), and ends the alarm after a refill: one open alarm per pool
 * and level. A pool is the set of codes that a member can get for a variant.
 */
export async function recordPoolState(
  db: Db | Trx,
  { offerId, variantId, now }: { offerId: string; variantId: string | null; now: Date },
): Promise<void> {
  const { rows } = await sql<{ total: number; free: number }>`
    select count(*)::integer as total, (count(*) filter (where k.member_id is null))::integer as free from offer_codes k
    where k.offer_id = ${offerId} and k.code_kind = 'pool' and (k.variant_id is null or k.variant_id = ${variantId}::uuid)`.execute(
    db,
  );
  const { total = 0, free = 0 } = rows[0] ?? {};
  const level = free === 0 ? "empty" : free * 100 < total * LOW_PERCENT ? "low" : null;
  // Always in this order, so that two transactions lock the rows in the same order and can't deadlock.
  await sql`
    update code_pool_alarms set ended_at = ${now}
    where offer_id = ${offerId} and variant_id is not distinct from ${variantId}::uuid and ended_at is null
      and level is distinct from ${level}::text`.execute(db);
  if (level === null) return;
  await sql`
    insert into code_pool_alarms (id, offer_id, variant_id, level, codes_free, codes_total, raised_at)
    values (${newId()}, ${offerId}, ${variantId}, ${level}, ${free}, ${total}, ${now}) on conflict do nothing`.execute(
    db,
  );
}

/** Returns the number of low and empty pools, for the metrics. */
export async function countPoolAlarms(db: Db): Promise<{ low: number; empty: number }> {
  const { rows } = await sql<{ low: number; empty: number }>`
    select (count(*) filter (where level = 'low'))::integer as low, (count(*) filter (where level = 'empty'))::integer as empty
    from code_pool_alarms where ended_at is null`.execute(db);
  return rows[0] ?? { low: 0, empty: 0 };
}
