import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { escapeLike } from "../lists/contains.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";

/** An offer with codes that are each for one member, as operators list it. */
export interface ListedPool {
  publicId: string;
  title: string;
  retailer: string;
  free: number;
  total: number;
  /** Of its worst pool; null: enough codes are left. */
  level: "low" | "empty" | null;
  /** Since when it runs out. */
  raisedAt: Date | null;
}

export type PoolSort = "raised" | "title";

const withAlarms = sql`(select distinct offer_id from code_pool_alarms where ended_at is null)`;
/** Offers with a pool or an alarm, found by leaps over the index: codes of one offer may be a hundred thousand. */
const withPools = sql`(
  with recursive pool (offer_id) as (
    (select offer_id from offer_codes where code_kind = 'pool' order by offer_id limit 1)
    union all
    select (select k.offer_id from offer_codes k where k.code_kind = 'pool' and k.offer_id > pool.offer_id order by k.offer_id limit 1)
    from pool where pool.offer_id is not null)
  select offer_id from pool where offer_id is not null
  union select offer_id from code_pool_alarms where ended_at is null)`;

/** The worst of each offer's alarms, joined once: looked up by offer, they were read again for each of them. */
const alarms = sql`(
  select offer_id, min(raised_at) as raised_at, min(level) as level from code_pool_alarms where ended_at is null group by offer_id)`;

/** Returns how pools are listed: those that run out first, by how long. */
export function poolList({ q, level }: { q?: string; level?: string }): ListQuery<PoolSort> {
  const where: RawBuilder<unknown>[] = [];
  if (q) {
    const like = `%${escapeLike(q.toLowerCase())}%`;
    where.push(sql`(lower(offer.title) like ${like} or lower(retailer.name) like ${like} or offer.public_id = ${q})`);
  }
  return {
    from: sql`${level === "out" ? withAlarms : withPools} pool join offers offer on offer.id = pool.offer_id join retailers retailer on retailer.id = offer.retailer_id
      left join ${alarms} alarm on alarm.offer_id = offer.id`,
    select: sql`offer.public_id as "publicId", offer.title, retailer.name as retailer, alarm.raised_at as "raisedAt",
      (select count(*) from offer_codes k where k.offer_id = offer.id and k.code_kind = 'pool' and k.member_id is null) as free,
      (select count(*) from offer_codes k where k.offer_id = offer.id and k.code_kind = 'pool') as total,
      alarm.level`,
    where,
    sorts: {
      raised: { by: sql`coalesce(alarm.raised_at, 'infinity'::timestamptz)`, type: "timestamptz" },
      title: { by: sql`lower(offer.title)`, type: "text" },
    },
    id: { by: sql`offer.id`, type: "uuid" },
  };
}

/** An offer with its pools: one for each variant, and one for every variant. */
export interface PoolRecord {
  id: string;
  publicId: string;
  title: string;
  kind: string;
  variants: { id: string; label: string }[];
  /** Of a variant, or null: codes for every variant. */
  pools: { variant: string | null; free: number; total: number; void: number }[];
  alarms: { variant: string | null; level: "low" | "empty"; raisedAt: Date }[];
}

export async function findPoolRecord(db: Db, { publicId }: { publicId: string }): Promise<PoolRecord | null> {
  const { rows } = await sql<PoolRecord>`
    select offer.id, offer.public_id as "publicId", offer.title, offer.kind,
      coalesce((select json_agg(json_build_object('id', v.id, 'label', v.label) order by v.position, v.label)
        from offer_variants v where v.offer_id = offer.id), '[]') as variants,
      coalesce((select json_agg(json_build_object('variant', counted.label, 'free', counted.free, 'total', counted.total, 'void', counted.void) order by counted.label nulls first)
        from (select v.label, count(*) filter (where k.member_id is null) as free, count(*) as total, count(k.voided_at) as void
          from offer_codes k left join offer_variants v on v.id = k.variant_id
          where k.offer_id = offer.id and k.code_kind = 'pool' group by v.label) counted), '[]') as pools,
      coalesce((select json_agg(json_build_object('variant', v.label, 'level', a.level, 'raisedAt', a.raised_at) order by a.raised_at)
        from code_pool_alarms a left join offer_variants v on v.id = a.variant_id
        where a.offer_id = offer.id and a.ended_at is null), '[]') as alarms
    from offers offer where offer.public_id = ${publicId}`.execute(db);
  return rows[0] ?? null;
}
