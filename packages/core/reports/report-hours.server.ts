import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

/** A row is late that is written this long after its time, and notes its hour (packages/db/migrations/0075_report_hours.sql). */
const LATE_MS = 10 * 60_000;
/** What is kept: the hours of the longest time that a page shows, and a day more. */
const KEPT_DAYS = 16;
/** Of this job alone: nothing else in the database has its name. */
const LOCK = "report-hours";

/** The hour that a moment is in. */
export const hourOf = (moment: RawBuilder<unknown>) => sql`date_bin('1 hour', ${moment}, timestamptz 'epoch')`;

const ofPurchases = sql`count(*) filter (where change_kind = 'tracked') as tracked,
  coalesce(sum(cashback_pence) filter (where change_kind = 'confirmed'), 0)::bigint as confirmed_pence`;

const ofClicks = sql`count(*) filter (where pre_flight = 'healthy') as healthy, count(*) filter (where pre_flight = 'slow') as slow,
  count(*) filter (where pre_flight = 'blocked') as blocked, count(*) filter (where pre_flight = 'no_cookies') as no_cookies,
  count(*) filter (where pre_flight is null) as unchecked`;

/** Two moments, as SQL of type timestamptz. */
export interface Span {
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
}

/**
 * The parts of a `with` that the relations below read: `kept`, the hours between two moments whose counts hold, and `gaps`, the rest of that time
 * (`begins` until before `ends`).
 */
export const keptAndGaps = ({ from, to }: Span) => sql`
  kept as materialized (
    select * from report_hours hours where hour >= ${from} and hour <= ${to} - interval '1 hour'
      and not exists (select from report_late_hours late where late.hour = hours.hour)
  ), gaps as materialized (
    select begins, ends from (
      select lag(hour + interval '1 hour', 1, ${from}) over (order by hour) as begins, hour as ends
      from (select hour from kept union all select ${to}) edges) pairs
    where begins < ends
  )`;

/**
 * Members who joined and what became of purchases, in parts of at most an hour; an hour may have several. Hours that are over are read from what is kept
 * of them, and all others from their rows: the sums are exact to the last commit, whatever the job does (decision 061).
 */
export const membersAndPurchasesByHour = sql`(
  select hour, joined, tracked, confirmed_pence from kept
  union all
  select counted.hour, counted.joined, 0, 0 from gaps cross join lateral (
    select ${hourOf(sql`created_at`)} as hour, count(*) as joined from members
    where created_at >= begins and created_at < ends group by 1) counted
  union all
  select counted.hour, 0, counted.tracked, counted.confirmed_pence from gaps cross join lateral (
    select ${hourOf(sql`changed_at`)} as hour, ${ofPurchases} from cashback_changes
    where changed_at >= begins and changed_at < ends group by 1) counted)`;

/** Clicks by network and by what the browser was found to do just before, in the same way. */
export const clicksByHour = sql`(
  select clicks.* from kept join report_click_hours clicks using (hour)
  union all
  select counted.* from gaps cross join lateral (
    select ${hourOf(sql`created_at`)} as hour, network_id, ${ofClicks} from clicks
    where created_at >= begins and created_at < ends group by 1, 2) counted)`;

/**
 * Counts the hours that are over and are not kept yet, and again those that a late row came into; forgets hours that no page shows any more, and
 * hours to come. May be repeated; of concurrent calls one works. Returns the number of hours counted.
 */
export async function keepHours(db: Db, { now }: { now: Date }): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const locked = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${LOCK}, 0)) as "isMine"`.execute(trx);
    if (!locked.rows[0]?.isMine) return 0;
    const settled = await findSettled(trx, { now });
    const until = new Date(settled.getTime() - LATE_MS);
    const from = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
    // The later ones were over, and are not now: a clock went back, and rows that are not late may be written to them again.
    await sql`delete from report_hours where hour < ${from}
      or hour > least(${now}::timestamptz, clock_timestamp()) - interval '1 hour' - make_interval(secs => ${LATE_MS / 1000})`.execute(
      trx,
    );
    return countHours(trx, {
      from: sql`(${hourOf(sql`${from}::timestamptz`)} + interval '1 hour')`,
      to: hourOf(sql`${until}::timestamptz`),
    });
  });
}

/**
 * Returns the moment until which nothing is written any more but late rows, which note their hours. A row that is not late is written within ten minutes
 * after its time: the transaction that wrote it has ended, so that the next statement sees it, or it is open here and began before.
 */
export async function findSettled(db: Db, { now }: { now: Date }): Promise<Date> {
  const { rows } = await sql<{ settled: Date }>`
    select least(${now}::timestamptz, clock_timestamp(), (select min(xact_start) from pg_stat_activity
      where backend_xid is not null and datname = current_database() and pid <> pg_backend_pid())) as settled`.execute(
    db,
  );
  return rows[0]!.settled;
}

/** In one statement: the notes that it deletes are of rows that it counts. */
async function countHours(db: Db, { from, to }: Span): Promise<number> {
  const wanted = (moment: RawBuilder<unknown>) => sql`join wanted on wanted.hour = ${hourOf(moment)}
    where ${moment} >= (select min(hour) from wanted) and ${moment} < (select max(hour) from wanted) + interval '1 hour'`;
  const { rows } = await sql<{ hours: number }>`
    with noted as (
      delete from report_late_hours where hour < ${to} returning hour
    ), wanted as materialized (
      select hour from generate_series(${from}, ${to} - interval '1 hour', interval '1 hour') hours (hour)
      where hour in (select hour from noted) or hour not in (select hour from report_hours)
    ), joined as (
      select hour, count(*) as joined from members ${wanted(sql`created_at`)} group by 1
    ), purchases as (
      select hour, ${ofPurchases} from cashback_changes ${wanted(sql`changed_at`)} group by 1
    ), clicked as materialized (
      select hour, network_id, ${ofClicks} from clicks ${wanted(sql`created_at`)} group by 1, 2
    ), kept as (
      insert into report_hours (hour, joined, tracked, confirmed_pence)
      select hour, coalesce(joined, 0), coalesce(tracked, 0), coalesce(confirmed_pence, 0)
      from wanted left join joined using (hour) left join purchases using (hour)
      on conflict (hour) do update set joined = excluded.joined, tracked = excluded.tracked, confirmed_pence = excluded.confirmed_pence
      returning hour
    ), kept_clicks as (
      insert into report_click_hours (hour, network_id, healthy, slow, blocked, no_cookies, unchecked)
      select hour, network_id, healthy, slow, blocked, no_cookies, unchecked from clicked
      on conflict (hour, network_id) do update set healthy = excluded.healthy, slow = excluded.slow, blocked = excluded.blocked,
        no_cookies = excluded.no_cookies, unchecked = excluded.unchecked
    )
    select count(*)::int as hours from kept`.execute(db);
  return rows[0]?.hours ?? 0;
}
