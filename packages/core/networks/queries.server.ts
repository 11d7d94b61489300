import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { PreFlightFinding } from "../clicks/pre-flight.ts";
import { clicksByHour, hourOf, keptAndGaps } from "../reports/report-hours.server.ts";
import { NETWORKS_READ_UNTIL, type ReadUntil } from "./read-until.ts";

/** Returns the network's id, or null for an unknown slug. */
export async function findNetworkId(db: Db, { slug }: { slug: string }): Promise<string | null> {
  return (await db.selectFrom("networks").select("id").where("slug", "=", slug).executeTakeFirst())?.id ?? null;
}

export function findNetworkNames(db: Db): Promise<{ slug: string; name: string }[]> {
  return db.selectFrom("networks").select(["slug", "name"]).orderBy("name").execute();
}

/** Returns all networks, by name, with their ids. */
export function findNetworkIds(db: Db): Promise<{ id: string; slug: string; name: string }[]> {
  return db.selectFrom("networks").select(["id", "slug", "name"]).orderBy("name").execute();
}

export interface UnpaidId {
  /** The sale's, or that of one of its rows where it has rows. */
  id: string;
  networkTransactionId: string;
}

/**
 * Returns the ids of approved transactions that the network has not paid for yet, those asked for or observed longest ago first, `limit` or what the last
 * one has beyond it. Payment changes no date that a pass could find, so they are requested by id: by those of its rows where a transaction has rows. Those
 * asked for or observed at or after `askedBefore` are left out, and those that a calendar pays.
 */
export async function findUnpaidIds(
  db: Db,
  { networkId, askedBefore, limit }: { networkId: string; askedBefore: Date; limit: number },
): Promise<UnpaidId[]> {
  const { rows } = await sql<UnpaidId>`
    select id, sale as "networkTransactionId" from (
      select unpaid.sale, unpaid.looked_at, coalesce(row.network_row_id, unpaid.sale) as id,
        rank() over (order by unpaid.looked_at, unpaid.sale) as place
      from (
        select network_id, network_transaction_id as sale, greatest(observed_at, payment_asked_at) as looked_at from network_transactions
        where network_id = ${networkId} and status = 'approved' and not paid_to_publisher and next_change_at is null
          and greatest(observed_at, payment_asked_at) < ${askedBefore}
        order by greatest(observed_at, payment_asked_at) limit ${limit}) unpaid
      left join network_transaction_rows row on row.network_id = unpaid.network_id and row.network_transaction_id = unpaid.sale) whole
    where place <= ${limit} order by looked_at, sale, id`.execute(db);
  return rows;
}

/** Returns up to when all reports of each network are read, by its slug. One whose report was never asked for is missing. */
export async function findReadUntil(db: Db): Promise<Map<string, ReadUntil>> {
  const { rows } = await sql<ReadUntil & { slug: string }>`
    select network.slug, read.until, read.is_read as "isRead"
    from networks network join (${sql.raw(NETWORKS_READ_UNTIL)}) read on read.network_id = network.id`.execute(db);
  return new Map(rows.map(({ slug, until, isRead }) => [slug, { until, isRead }]));
}

/** How one network does, for operators. */
export interface NetworkHealth {
  slug: string;
  name: string;
  /** What its report said last, by pass; null for the error of a window that was read. `lateError` is of the look for late sales. */
  passes: { pass: string; coveredUntil: Date; error: string | null; lateError: string | null }[];
  /** Clicks since the hour of `since` by what the browser was found to do just before; `unchecked` where no check ran. */
  preFlight: Record<PreFlightFinding | "unchecked", number>;
}

/** Returns each network with its passes and the findings of the pre-flight check (C1, C2). */
export async function findNetworkHealth(db: Db, { since }: { since: Date }): Promise<NetworkHealth[]> {
  const { rows } = await sql<
    Omit<NetworkHealth, "passes"> & {
      passes: { pass: string; until: string; error: string | null; late: string | null }[];
    }
  >`
    with ${keptAndGaps({ from: hourOf(sql`${since}::timestamptz`), to: sql`timestamptz 'infinity'` })}
    select network.slug, network.name,
      coalesce((select jsonb_agg(jsonb_build_object('pass', pass, 'until', covered_until, 'error', last_error,
          'late', late_error) order by pass)
        from network_passes where network_id = network.id), '[]') as passes,
      jsonb_build_object('healthy', coalesce(healthy, 0), 'slow', coalesce(slow, 0), 'blocked', coalesce(blocked, 0),
        'no_cookies', coalesce(no_cookies, 0), 'unchecked', coalesce(unchecked, 0)) as "preFlight"
    from networks network left join (
      select network_id, sum(healthy)::bigint as healthy, sum(slow)::bigint as slow, sum(blocked)::bigint as blocked,
        sum(no_cookies)::bigint as no_cookies, sum(unchecked)::bigint as unchecked
      from ${clicksByHour} hours group by network_id) checked on checked.network_id = network.id
    order by network.slug`.execute(db);
  return rows.map(({ passes, ...network }) => ({
    ...network,
    passes: passes.map(({ pass, until, error, late }) => ({
      pass,
      coveredUntil: new Date(until),
      error,
      lateError: late,
    })),
  }));
}
