import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { createEventRecorder } from "./event-recorder.server.ts";
import type { EventType } from "./rules.ts";
import type { TelemetryEvent } from "./schema.ts";

/** Returns an event as the collector has parsed it. */
export function telemetryEvent(
  eventType: EventType,
  subject: string,
  rest: Partial<TelemetryEvent> = {},
): TelemetryEvent {
  return {
    ...{ eventType, subject, userId: null, sessionId: "session-1", affinityId: "affinity-1" },
    ...{ pageLoadedAt: null, extraFields: null, eventId: null, ...rest },
  };
}

/** Records events as received at `at`, in one transaction. */
export async function recordEvents(
  db: Db,
  brandId: string,
  events: readonly TelemetryEvent[],
  at: Date,
): Promise<void> {
  const recorder = createEventRecorder({ db, now: () => at });
  await recorder.record({ brandId, events });
  await recorder.close();
}

/**
 * Resolves when every transaction that has begun until now has ended, those of other tests on this server too: until then, jobs that read in the order
 * of transactions leave later ones for the next time.
 */
export async function untilEnded(db: Db): Promise<void> {
  const { rows } = await sql<{ now: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as now`.execute(db);
  for (;;) {
    const { rows: ended } =
      await sql`select where pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= ${rows[0]!.now}::bigint`.execute(
        db,
      );
    if (ended.length > 0) return;
    await sql`select pg_sleep(0.01)`.execute(db);
  }
}

/** Returns all events in the order of their subjects. */
export async function storedEvents(db: Db) {
  return db.selectFrom("telemetry_events").selectAll().orderBy("subject").orderBy("id").execute();
}
