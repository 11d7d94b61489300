import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { addDays } from "./rules.ts";
import { londonDay } from "./sums.server.ts";

/** Any constant: processes that make or drop days take turns. */
const LOCK = 4_602_040;

/** Returns whether an insert failed because the partition of its day is missing: SQLSTATE 23514, without a constraint's name. */
export function isMissingDay(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "23514" &&
    /no partition of relation/.test(error.message)
  );
}

/**
 * Makes the partitions of `days` UTC days, beginning with `from`. Those that exist stay. Inserts into other days go on meanwhile: ATTACH takes no lock
 * that stops them. Returns the days that were made.
 */
export async function openDays(db: Db, { from, days }: { from: string; days: number }): Promise<string[]> {
  const wanted = Array.from({ length: days }, (_, index) => addDays(from, index));
  const known = new Set((await listDays(db)).map(({ day }) => day));
  const made: string[] = [];
  for (const day of wanted.filter((one) => !known.has(one))) if (await openDay(db, day)) made.push(day);
  return made;
}

async function openDay(db: Db, day: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    if ((await listDays(trx)).some((known) => known.day === day)) return false;
    const table = sql.id(tableOf(day));
    // A table that was detached and not dropped yet must not come back with its rows.
    await sql`drop table if exists ${table}`.execute(trx);
    await sql`create table ${table} (like telemetry_events including defaults including constraints)`.execute(trx);
    await sql`alter table telemetry_events attach partition ${table} for values in (${sql.lit(day)})`.execute(trx);
    return true;
  });
}

export interface TelemetryDay {
  day: string;
  table: string;
  /** An estimate. */
  rows: number;
  /** Dropping it was interrupted. */
  isDetaching: boolean;
}

/** Returns the days that have a partition, the oldest first. */
export async function listDays(db: Db): Promise<TelemetryDay[]> {
  const { rows } = await sql<{ table: string; rows: number; isDetaching: boolean }>`
    select child.relname as "table", greatest(child.reltuples, 0)::float8 as rows, inherits.inhdetachpending as "isDetaching"
    from pg_inherits inherits join pg_class child on child.oid = inherits.inhrelid
    where inherits.inhparent = 'telemetry_events'::regclass order by child.relname`.execute(db);
  return rows.map((row) => ({ ...row, day: dayOf(row.table) }));
}

/**
 * Drops the events of UTC days before `before`: no row is deleted, a file goes. Raises `kept_from` first, so that sums which can't be rebuilt any more
 * stay, and forgets what few people searched for: they are counted while the events are still here, however often each searched. Days whose events
 * went before people were counted keep the terms of three searches. Finishes what was interrupted. Returns the days dropped.
 */
export async function dropDays(db: Db, { before }: { before: string }): Promise<string[]> {
  const dropped: string[] = [];
  for (const { day, table, isDetaching } of await listDays(db)) {
    if (day >= before) break;
    await countSearchers(db, day);
    await sql`update telemetry_watermark set kept_from = greatest(kept_from, ${addDays(day, 1)}::date)`.execute(db);
    // Outside a transaction, as CONCURRENTLY demands: writers and readers of other days are not stopped.
    if (isDetaching) await sql`alter table telemetry_events detach partition ${sql.id(table)} finalize`.execute(db);
    else await sql`alter table telemetry_events detach partition ${sql.id(table)} concurrently`.execute(db);
    // Another process may have found it detached, and dropped it.
    await sql`drop table if exists ${sql.id(table)}`.execute(db);
    dropped.push(day);
  }
  dropped.push(...(await dropDetachedDays(db, before)));
  await sql`delete from telemetry_search_days where day < ${before}::date and coalesce(people, searches) < ${sql.lit(MIN_KEPT_PEOPLE)}`.execute(
    db,
  );
  return dropped;
}

/** Drops days that were detached by a process that ended before it dropped them: the parent does not know them any more. Returns them. */
async function dropDetachedDays(db: Db, before: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const { rows } = await sql<{ table: string }>`
      select relname as "table" from pg_class
      where relnamespace = (select relnamespace from pg_class where oid = 'telemetry_events'::regclass)
        and relkind = 'r' and relname ~ '^telemetry_events_[0-9]{8}$' and relname < ${tableOf(before)}
        and not exists (select from pg_inherits where inhrelid = pg_class.oid)
      order by relname`.execute(trx);
    for (const { table } of rows) await sql`drop table if exists ${sql.id(table)}`.execute(trx);
    return rows.map(({ table }) => dayOf(table));
  });
}

/** What fewer people than this searched for on a day may be about one of them: it goes with its events. */
const MIN_KEPT_PEOPLE = 3;

/**
 * Counts who searched for each term, before the events of a UTC day go: on the day in London of the same date, of which the rest goes, and on the next
 * one, which begins in this UTC day in summer. A person is a telemetry user, or a visit in which nobody who searched for the term was signed in. A count never
 * falls, so that a day that was counted whole keeps its count when its second part goes; of events that were erased nobody is counted. Reads
 * two days of events once for each day that is dropped.
 */
async function countSearchers(db: Db, day: string): Promise<void> {
  const next = addDays(day, 1);
  await sql`
    with searched as (
      select distinct brand_id, ${londonDay} as day, lower(subject) as term, session_id, user_id
      from telemetry_events where received_on in (${day}::date, ${next}::date) and event_type = 'SearchPage'
    ), named as (
      select brand_id, day, term,
        coalesce(user_id, max(user_id) over (partition by brand_id, day, term, session_id), session_id) as person from searched
    ), counted as (
      select brand_id, day, term, count(distinct person) as people from named group by 1, 2, 3
    )
    update telemetry_search_days sums set people = greatest(sums.people, coalesce(counted.people, 0))
    from telemetry_search_days same left join counted on counted.brand_id = same.brand_id and counted.term = same.term and counted.day = same.day
    where same.day in (${day}::date, ${next}::date)
      and sums.brand_id = same.brand_id and sums.term = same.term and sums.day = same.day`.execute(db);
}

/**
 * Adds an index by user to each day that is over, for exports and erasures of members. The day that is written has none: it would make every
 * insert dearer.
 */
export async function indexDays(db: Db, { before }: { before: string }): Promise<void> {
  for (const { day, table } of await listDays(db)) {
    if (day >= before) return;
    await sql`create index if not exists ${sql.id(`${table}_user`)} on ${sql.id(table)} (user_id) where user_id is not null`.execute(
      db,
    );
  }
}

const tableOf = (day: string) => `telemetry_events_${day.replaceAll("-", "")}`;
const dayOf = (table: string) => table.slice(-8).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
