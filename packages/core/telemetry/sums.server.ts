import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { REMOVED_TERM } from "./rules.ts";

/** The day in London of an event: what reports count by. */
export const londonDay = sql<string>`(received_at at time zone 'Europe/London')::date`;

/**
 * A condition for events that are not in the sums yet (T7). Every committed event is either in the sums or matches it. The bound is read once, so the
 * index on `recorded_in` finds the rows.
 */
export const notSummed = sql`recorded_in >= (select summed_below from telemetry_watermark)`;

/**
 * Makes sure that transactions of this database server are counted above all that was summed or copied: after a restore into a new server, whose transactions
 * begin at 1 again, new events would pass for old ones. Called before anything is recorded.
 */
export async function alignTransactions(db: Db): Promise<void> {
  await sql`
    with reached as (
      select greatest(
        (select summed_below from telemetry_watermark),
        (select max(greatest(exported_below, batch_below)) from telemetry_exports)
      ) as bound
    )
    update telemetry_watermark set xact_offset = reached.bound from reached
    where xact_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint < reached.bound`.execute(db);
}

/**
 * Adds the events since the last time to the sums and raises the watermark, in one transaction: each event is counted once. Events of open
 * transactions are above the new watermark, and are added next time. Concurrent calls take turns. Returns the number of events added.
 */
export async function sumEvents(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { since, upto } = await lockMark(trx);
    if (upto <= since) return 0;
    const events = await add(trx, sql`recorded_in >= ${since} and recorded_in < ${upto}`);
    await sql`update telemetry_watermark set summed_below = ${upto}`.execute(trx);
    return events;
  });
}

/**
 * Deletes the sums and makes them from the events again, except those of days whose events were dropped in part. Events that members had erased are
 * not in the new sums. Returns the number of events counted.
 */
export async function rebuildSums(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { upto, keptFrom } = await lockMark(trx);
    // A day in London begins at 23:00 UTC of the day before, in summer: the first whole one is the day after kept_from.
    const whole = (day: RawBuilder<unknown>) => (keptFrom === null ? sql`true` : sql`${day} > ${keptFrom}::date`);
    for (const table of ["telemetry_days", "telemetry_offer_days", "telemetry_search_days"] as const)
      await sql`delete from ${sql.table(table)} where ${whole(sql`day`)}`.execute(trx);
    const events = await add(trx, sql`recorded_in < ${upto} and ${whole(londonDay)}`);
    await sumMonths(trx, keptFrom === null ? sql`true` : sql`month >= date_trunc('month', ${keptFrom}::date)::date`);
    await sql`update telemetry_watermark set summed_below = ${upto}`.execute(trx);
    return events;
  });
}

/** Waits for a call in progress. `upto`: all transactions below it have ended. */
async function lockMark(trx: Trx): Promise<{ since: number; upto: number; keptFrom: string | null }> {
  await sql`select from telemetry_watermark for update`.execute(trx);
  // The next statement's snapshot includes what that call did.
  const { rows } = await sql<{ since: number; upto: number; keptFrom: string | null }>`
    select summed_below as since, kept_from as "keptFrom",
      greatest(summed_below, xact_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as upto
    from telemetry_watermark`.execute(trx);
  const [mark] = rows;
  if (!mark) throw new Error("telemetry_watermark has no row: insert its default row again, then rebuild the sums.");
  return mark;
}

async function add(trx: Trx, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    with added as materialized (
      select brand_id, ${londonDay} as day, event_type, subject, count(*) as events
      from telemetry_events where ${which} group by 1, 2, 3, 4
    ), by_type as (
      insert into telemetry_days (brand_id, day, event_type, events)
      select brand_id, day, event_type, sum(events) from added join brands on brands.id = added.brand_id group by 1, 2, 3
      on conflict (brand_id, day, event_type) do update set events = telemetry_days.events + excluded.events
    ), by_offer as (
      insert into telemetry_offer_days (brand_id, day, offer_id, views, redemptions)
      select brand_id, day, offers.id, coalesce(sum(events) filter (where event_type = 'OfferPage'), 0),
        coalesce(sum(events) filter (where event_type = 'OfferRedeemed'), 0)
      from added join brands on brands.id = added.brand_id join offers on offers.public_id = added.subject
      where event_type in ('OfferPage', 'OfferRedeemed') group by 1, 2, 3
      on conflict (brand_id, day, offer_id) do update set views = telemetry_offer_days.views + excluded.views,
        redemptions = telemetry_offer_days.redemptions + excluded.redemptions
    ), by_offer_month as (
      insert into telemetry_offer_months (brand_id, month, offer_id, views)
      select brand_id, date_trunc('month', day)::date, offers.id, coalesce(sum(events) filter (where event_type = 'OfferPage'), 0)
      from added join brands on brands.id = added.brand_id join offers on offers.public_id = added.subject
      where event_type in ('OfferPage', 'OfferRedeemed') group by 1, 2, 3
      on conflict (month, brand_id, offer_id) do update set views = telemetry_offer_months.views + excluded.views
    ), by_term as (
      insert into telemetry_search_days (brand_id, day, term, searches)
      select brand_id, day, lower(subject), sum(events) from added join brands on brands.id = added.brand_id
      where event_type = 'SearchPage' and subject not in ('', ${REMOVED_TERM}) group by 1, 2, 3
      on conflict (brand_id, day, term) do update set searches = telemetry_search_days.searches + excluded.searches
    )
    select coalesce(sum(events), 0)::float8 as events from added`.execute(trx);
  return rows[0]?.events ?? 0;
}

/** Makes the sums by month from those by day, which may be of days whose events are gone. */
async function sumMonths(trx: Trx, which: RawBuilder<unknown>): Promise<void> {
  await sql`delete from telemetry_offer_months where ${which}`.execute(trx);
  await sql`
    insert into telemetry_offer_months (brand_id, month, offer_id, views)
    select brand_id, month, offer_id, sum(views)
    from (select *, date_trunc('month', day)::date as month from telemetry_offer_days) days where ${which} group by 1, 2, 3`.execute(
    trx,
  );
}
