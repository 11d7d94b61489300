import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { isRowError } from "@farthing/db/row-error.ts";
import { newIdOfMany } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { addDays, utcDay } from "./rules.ts";
import { isMissingDay, openDays } from "./days.server.ts";
import type { TelemetryEvent } from "./schema.ts";

/** Events of one request, which are answered together. */
export interface NewEvents {
  brandId: string;
  events: readonly TelemetryEvent[];
}

export interface EventRecorder {
  /**
   * Resolves once the events are committed, with the positions of those that the database refused: none, unless a check here is missing. Rejects
   * when they may not be stored: never acknowledge before it resolves (T3).
   */
  record(events: NewEvents): Promise<number[]>;
  /** Refuses new events and resolves when those accepted are committed or have failed. */
  close(): Promise<void>;
}

/** Thrown when more events wait than can be written soon; they may be sent again. */
export class EventRecorderBusyError extends Error {
  constructor() {
    super("Too many events are waiting to be recorded.");
    this.name = "EventRecorderBusyError";
  }
}

interface Row extends TelemetryEvent {
  id: string;
  brandId: string;
}

interface Waiting {
  rows: readonly Row[];
  resolve(refused: number[]): void;
  reject(error: unknown): void;
}

/**
 * Records events by group commit (T3), as clicks are: requests that arrive while a statement commits are collected, and the next statement writes all
 * their rows with one flush to disk. At most two statements run at a time. `maxWaiting` bounds the memory: it counts events.
 */
export function createEventRecorder({
  db,
  maxBatch = 1_000,
  maxWaiting = 20_000,
  maxWriters = 2,
  now = () => new Date(),
}: {
  db: Db;
  maxBatch?: number;
  maxWaiting?: number;
  maxWriters?: number;
  now?: () => Date;
}): EventRecorder {
  let waiting: Waiting[] = [];
  let waitingRows = 0;
  let writers = 0;
  let closed = false;
  let onIdle = (): void => {};

  function takeBatch(): Waiting[] {
    let count = 0;
    let rows = 0;
    while (count < waiting.length && (count === 0 || rows + waiting[count]!.rows.length <= maxBatch)) {
      rows += waiting[count]!.rows.length;
      count += 1;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingRows -= rows;
    return batch;
  }

  /** Starts on the next turn of the event loop, so that requests read in this turn share the first batch. */
  async function run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await write(db, takeBatch(), now());
    // In the same turn as the check of `waiting`: an event that arrives now starts another writer.
    writers -= 1;
    if (writers === 0) onIdle();
  }

  return {
    record({ brandId, events }) {
      if (closed) return Promise.reject(new Error("The event recorder is closed."));
      if (waitingRows > 0 && waitingRows + events.length > maxWaiting)
        return Promise.reject(new EventRecorderBusyError());
      if (events.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        waiting.push({ rows: events.map((event) => toRow(event, brandId)), resolve, reject });
        waitingRows += events.length;
        if (writers >= maxWriters) return;
        writers += 1;
        void run();
      });
    },
    async close() {
      closed = true;
      if (writers > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

/** The row's id is the server's, or follows from the sender's: the same event sent twice has the same id. */
function toRow(event: TelemetryEvent, brandId: string): Row {
  return { ...event, brandId, id: event.eventId === null ? newIdOfMany() : idOf(brandId, event.eventId) };
}

/** Returns a UUID (version 8, RFC 9562) made from brand and the sender's id, so that no brand's sender can take another's ids. */
function idOf(brandId: string, eventId: string): string {
  const hex = createHash("sha256").update(`${brandId}/${eventId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Settles every request of the batch. A row that the database refuses must not fail the others. */
async function write(db: Db, batch: readonly Waiting[], at: Date): Promise<void> {
  try {
    const refused = await insertAll(
      db,
      batch.flatMap(({ rows }) => rows),
      at,
    );
    for (const { rows, resolve } of batch)
      resolve(refused.size === 0 ? [] : rows.flatMap((row, position) => (refused.has(row) ? [position] : [])));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** Inserts the rows. Returns those that the database refuses, which it finds by halves. */
async function insertAll(db: Db, rows: readonly Row[], at: Date): Promise<Set<Row>> {
  try {
    await insert(db, rows, at);
    return new Set();
  } catch (error) {
    if (isMissingDay(error)) {
      await openDays(db, { from: utcDay(at), days: 1 });
      return insertAll(db, rows, at);
    }
    if (!isRowError(error)) throw error;
    if (rows.length === 1) return new Set(rows);
    const half = rows.length >> 1;
    const first = await insertAll(db, rows.slice(0, half), at);
    return new Set([...first, ...(await insertAll(db, rows.slice(half), at))]);
  }
}

async function insert(db: Db, rows: readonly Row[], at: Date): Promise<void> {
  const day = utcDay(at);
  // Only an id that the sender chose can be there already. One that is sent again after midnight lies in the partition of the day before.
  const onceOnly = rows.some(({ eventId }) => eventId !== null)
    ? sql`where not exists (select from telemetry_events sent where sent.id = event.id and sent.received_on = ${addDays(day, -1)}::date)
    on conflict do nothing`
    : sql``;
  await sql`${keepPlan} insert into telemetry_events
      (id, received_on, received_at, recorded_in, brand_id, event_type, user_id, session_id, affinity_id, subject, page_loaded_at, extra_fields)
    select event.id, ${day}::date, ${at}::timestamptz, mark.xact_offset + pg_current_xact_id()::text::bigint, event.brand_id, event.event_type,
      event.user_id, event.session_id, event.affinity_id, event.subject, to_timestamp(event.loaded_ms / 1000.0), event.extra_fields
    from telemetry_watermark mark, unnest(
      ${arrayOf(rows, (row) => row.id)}::uuid[], ${arrayOf(rows, (row) => row.brandId)}::uuid[], ${arrayOf(rows, (row) => row.eventType)}::text[],
      ${arrayOf(rows, (row) => row.userId)}::text[], ${arrayOf(rows, (row) => row.sessionId)}::text[],
      ${arrayOf(rows, (row) => row.affinityId)}::text[], ${arrayOf(rows, (row) => row.subject)}::text[],
      ${arrayOf(rows, (row) => row.pageLoadedAt?.getTime().toString() ?? null)}::bigint[], ${arrayOf(rows, (row) => row.extraFields)}::jsonb[]
    ) as event (id, brand_id, event_type, user_id, session_id, affinity_id, subject, loaded_ms, extra_fields)
    ${onceOnly}`.execute(db);
}

/**
 * Returns a column of the rows as PostgreSQL's text form of an array. pg writes the same with a check of every value's type, which takes four times as
 * long (bench/telemetry).
 */
function arrayOf(rows: readonly Row[], read: (row: Row) => string | null): string {
  let text = "{";
  for (const row of rows) {
    const value = read(row);
    if (text.length > 1) text += ",";
    if (value === null) text += "NULL";
    else text += /["\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : `"${value}"`;
  }
  return `${text}}`;
}
