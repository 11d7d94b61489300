import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { TelemetrySink } from "./sink.ts";
import { listDays } from "./days.server.ts";
import { telemetryUserId } from "./user-id.server.ts";

/** The keys that pseudonyms may have been made with: the current one and those of earlier secrets. */
export type TelemetryUserKeys = readonly [string, ...string[]];

/** Returns all pseudonyms that a member's events may be stored under. */
export function telemetryUserIds(
  keys: TelemetryUserKeys,
  { brandId, memberId }: { brandId: string; memberId: string },
): string[] {
  return keys.map((key) => telemetryUserId(key, brandId, memberId));
}

/**
 * Deletes all events stored under the pseudonyms, a day at a time, so that no lock lasts. Sums stay: they name nobody. Returns the number of events
 * deleted. Copies elsewhere are erased by `workErasures`.
 */
export async function eraseTelemetryOf(
  db: Db,
  { brandId, userIds }: { brandId: string; userIds: readonly string[] },
): Promise<number> {
  let erased = 0;
  for (const { day } of await listDays(db)) {
    const { numAffectedRows } = await sql`
      delete from telemetry_events where received_on = ${day}::date and user_id = any(${userIds}::text[]) and brand_id = ${brandId}`.execute(
      db,
    );
    erased += Number(numAffectedRows ?? 0);
  }
  return erased;
}

/** Asks for the deletion of a member's events, in the transaction that closes the account (M5). A job of the worker does it, within minutes. */
export async function requestErasure(
  trx: Trx,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<void> {
  await trx
    .insertInto("telemetry_erasures")
    .values({ id: newId(), brand_id: brandId, member_id: memberId, requested_at: now })
    .execute();
}

/**
 * Does what was asked for, and may be called again after any failure. Events go from here first; a copy is erased once everything that was written
 * before has been copied, so that a batch on its way can't bring them back. Returns the number of requests that are done.
 */
export async function workErasures(
  db: Db,
  { keys, sink }: { keys: TelemetryUserKeys; sink: TelemetrySink | null },
): Promise<number> {
  const requests = await db.selectFrom("telemetry_erasures").selectAll().orderBy("requested_at").limit(100).execute();
  let done = 0;
  for (const { id, brand_id: brandId, member_id: memberId, erased_below } of requests) {
    const userIds = telemetryUserIds(keys, { brandId, memberId });
    let below = erased_below;
    if (below === null) {
      await eraseTelemetryOf(db, { brandId, userIds });
      below = await writtenBelow(db);
      await db.updateTable("telemetry_erasures").set({ erased_below: below }).where("id", "=", id).execute();
    }
    if (sink) {
      if (!(await isExported(db, sink.name, below))) continue;
      await sink.erase(userIds);
    }
    await db.deleteFrom("telemetry_erasures").where("id", "=", id).execute();
    done += 1;
  }
  return done;
}

/** Returns a bound above all transactions that have begun. */
async function writtenBelow(db: Db): Promise<number> {
  const { rows } = await sql<{ below: number }>`
    select xact_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint as below from telemetry_watermark`.execute(
    db,
  );
  return rows[0]!.below;
}

async function isExported(db: Db, sink: string, below: number): Promise<boolean> {
  const row = await db
    .selectFrom("telemetry_exports")
    .select("exported_below")
    .where("sink", "=", sink)
    .executeTakeFirst();
  return row !== undefined && row.exported_below >= below;
}
