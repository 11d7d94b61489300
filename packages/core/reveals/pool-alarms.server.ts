import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { thresholdSql } from "../thresholds/threshold-values.server.ts";

interface PoolCount {
  total: number;
  free: number;
  /** A pool with fewer than this percentage of its codes left is low. */
  lowPercent: number;
}

const levelOf = ({ total, free, lowPercent }: PoolCount) =>
  free === 0 ? "empty" : free * 100 < total * lowPercent ? "low" : null;

/**
 * Records for operators that a pool is low or empty (O4), and ends the alarm after a refill: one open alarm per pool
 * and level. A pool is the set of codes that a member can get for a variant.
 */
export async function recordPoolState(
  db: Db | Trx,
  { offerId, variantId, now }: { offerId: string; variantId: string | null; now: Date },
): Promise<void> {
  const { rows } = await sql<PoolCount>`
    select count(*)::integer as total, (count(*) filter (where k.member_id is null))::integer as free,
      ${thresholdSql("pool-low-percent")} as "lowPercent" from offer_codes k
    where k.offer_id = ${offerId} and k.code_kind = 'pool' and (k.variant_id is null or k.variant_id = ${variantId}::uuid)`.execute(
    db,
  );
  const { total, free } = rows[0]!;
  const level = levelOf(rows[0]!);
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

/** Ends the alarms of the pool that an offer had before its first variant. From then on each code is given for a variant. */
export async function endAlarmWithoutVariant(
  db: Db | Trx,
  { offerId, now }: { offerId: string; now: Date },
): Promise<void> {
  await sql`update code_pool_alarms set ended_at = ${now}
    where offer_id = ${offerId} and variant_id is null and ended_at is null`.execute(db);
}

/**
 * Does the same as recordPoolState for every pool that has codes, after a change of what counts as low: raises the alarms that
 * are missing, and ends those that hold no longer. Reads every code that is for one member.
 */
export async function recordPoolStates(db: Db | Trx, { now }: { now: Date }): Promise<void> {
  const { rows } = await sql<PoolCount & { offerId: string; variantId: string | null }>`
    with recursive with_pool (offer_id) as (
      (select offer_id from offer_codes where code_kind = 'pool' order by offer_id limit 1)
      union all
      select (select k.offer_id from offer_codes k where k.code_kind = 'pool' and k.offer_id > p.offer_id order by k.offer_id limit 1)
      from with_pool p where p.offer_id is not null
    ), pools as (
      select p.offer_id, v.id as variant_id from with_pool p left join offer_variants v on v.offer_id = p.offer_id
      where p.offer_id is not null
      union select offer_id, variant_id from code_pool_alarms where ended_at is null)
    select pools.offer_id as "offerId", pools.variant_id as "variantId", counted.total, counted.free,
      ${thresholdSql("pool-low-percent")} as "lowPercent"
    from pools cross join lateral (
      select count(*)::integer as total, (count(*) filter (where k.member_id is null))::integer as free from offer_codes k
      where k.offer_id = pools.offer_id and k.code_kind = 'pool' and (k.variant_id is null or k.variant_id = pools.variant_id)) counted
    -- A variant may have a shared code instead of a pool.
    where counted.total > 0 order by 1, 2`.execute(db);
  const states = rows.map((row) => ({ ...row, id: newId(), level: levelOf(row) }));
  const of = <Key extends keyof (typeof states)[number]>(key: Key) => states.map((state) => state[key]);
  const given = sql`unnest(${of("id")}::uuid[], ${of("offerId")}::uuid[], ${of("variantId")}::uuid[], ${of("level")}::text[],
    ${of("free")}::integer[], ${of("total")}::integer[]) as given (id, offer_id, variant_id, level, free, total)`;
  // In the order of recordPoolState.
  await sql`
    update code_pool_alarms a set ended_at = ${now} from ${given}
    where a.offer_id = given.offer_id and a.variant_id is not distinct from given.variant_id and a.ended_at is null
      and a.level is distinct from given.level`.execute(db);
  await sql`
    insert into code_pool_alarms (id, offer_id, variant_id, level, codes_free, codes_total, raised_at)
    select id, offer_id, variant_id, level, free, total, ${now} from ${given} where level is not null
    on conflict do nothing`.execute(db);
}

/** Returns the number of low and empty pools, for the metrics. */
export async function countPoolAlarms(db: Db): Promise<{ low: number; empty: number }> {
  const { rows } = await sql<{ low: number; empty: number }>`
    select (count(*) filter (where level = 'low'))::integer as low, (count(*) filter (where level = 'empty'))::integer as empty
    from code_pool_alarms where ended_at is null`.execute(db);
  return rows[0] ?? { low: 0, empty: 0 };
}
