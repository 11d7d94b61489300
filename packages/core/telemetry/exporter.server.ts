import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { StoredEvent, TelemetrySink } from "./sink.ts";
import { londonDay } from "./sums.server.ts";

/** Maximum number of events in a batch, unless one transaction wrote more. Some 8 MB. */
const MAX_ROWS = 20_000;
/** Longer than a batch takes. */
const LEASE_MS = 120_000;

export interface ExportOptions {
  now: Date;
  maxRows?: number;
}

/** `busy`: another process copies. */
export type ExportOutcome = { outcome: "busy" | "current" } | { outcome: "sent"; events: number };

/**
 * Copies the next batch of events to a sink. A batch is all events of a range of transactions that have ended, so it is the same however often it is
 * read. It is planned in `telemetry_exports` before it is sent, and counted as sent afterwards: whatever dies in between, the same batch is sent again,
 * and the sink keeps each event once.
 */
export async function exportBatch(
  db: Db,
  sink: TelemetrySink,
  { now, maxRows = MAX_ROWS }: ExportOptions,
): Promise<ExportOutcome> {
  const lease = await takeLease(db, sink.name, now);
  if (!lease) return { outcome: "busy" };
  try {
    const planned = lease.batch_below ?? (await plan(db, sink.name, lease.exported_below, maxRows));
    if (planned === null) return { outcome: "current" };
    const events = await readEvents(db, lease.exported_below, planned);
    if (events.length > 0) await sink.write({ number: planned, events });
    await db
      .updateTable("telemetry_exports")
      .set({ exported_below: planned, batch_below: null, batch_rows: null, last_error: null })
      .where("sink", "=", sink.name)
      .where("leased_until", "=", lease.leased_until)
      .execute();
    return { outcome: "sent", events: events.length };
  } catch (error) {
    const last_error = error instanceof Error ? error.message.slice(0, 500) : String(error);
    await db.updateTable("telemetry_exports").set({ last_error }).where("sink", "=", sink.name).execute();
    throw error;
  } finally {
    await db
      .updateTable("telemetry_exports")
      .set({ leased_until: now })
      .where("sink", "=", sink.name)
      .where("leased_until", "=", lease.leased_until)
      .execute();
  }
}

async function takeLease(db: Db, sink: string, now: Date) {
  await db
    .insertInto("telemetry_exports")
    .values({ sink })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .updateTable("telemetry_exports")
    .set({ leased_until: new Date(now.getTime() + LEASE_MS) })
    .where("sink", "=", sink)
    .where("leased_until", "<=", now)
    .returningAll()
    .executeTakeFirst();
}

/** Transactions that are looked at together, at first: a long backlog is read in parts. */
const FIRST_WIDTH = 4_096;

/** Chooses how far the next batch goes. Null: there is nothing new. */
async function plan(db: Db, sink: string, from: number, maxRows: number): Promise<number | null> {
  const upto = await endedBelow(db);
  for (let width = FIRST_WIDTH; from < upto; width *= 4) {
    const high = Math.min(from + width, upto);
    const { below, events } = await boundBetween(db, from, high, maxRows);
    if (events < maxRows / 4 && high < upto) continue;
    const isEmpty = events === 0;
    await db
      .updateTable("telemetry_exports")
      .set(isEmpty ? { exported_below: high } : { batch_below: below, batch_rows: events })
      .where("sink", "=", sink)
      .execute();
    return isEmpty ? null : below;
  }
  return null;
}

/** Returns the bound below which all transactions have ended. */
async function endedBelow(db: Db): Promise<number> {
  const { rows } = await sql<{ upto: number }>`
    select xact_offset + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as upto from telemetry_watermark`.execute(
    db,
  );
  return rows[0]?.upto ?? 0;
}

/** Returns the highest bound up to `high` with at most `maxRows` events below it, or with the first transaction alone, and their number. */
async function boundBetween(
  db: Db,
  from: number,
  high: number,
  maxRows: number,
): Promise<{ below: number; events: number }> {
  const { rows } = await sql<{ below: number; events: number }>`
    with fresh as (
      select recorded_in, count(*) as events from telemetry_events where recorded_in >= ${from} and recorded_in < ${high} group by 1
    ), counted as (
      select recorded_in, sum(events) over (order by recorded_in) as total, row_number() over (order by recorded_in) as position from fresh
    ), bound as (
      select coalesce(min(recorded_in) filter (where total > ${maxRows} and position > 1), ${high}) as below from counted
    )
    select below, coalesce((select max(total) from counted where recorded_in < below), 0)::float8 as events from bound`.execute(
    db,
  );
  return rows[0]!;
}

async function readEvents(db: Db, from: number, below: number): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select id, received_on as "receivedOn", (extract(epoch from received_at) * 1000)::float8 as "receivedAt", ${londonDay} as day,
      brand_id as "brandId", event_type as "eventType", user_id as "userId", session_id as "sessionId", affinity_id as "affinityId",
      subject, (extract(epoch from page_loaded_at) * 1000)::float8 as "pageLoadedAt", extra_fields::text as "extraFields"
    from telemetry_events where recorded_in >= ${from} and recorded_in < ${below} order by recorded_in, id`.execute(db);
  return rows;
}
