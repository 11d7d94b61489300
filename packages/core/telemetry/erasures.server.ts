import type { Db, Trx } from "@farthing/db/client.ts";
import type { TelemetryErasures } from "@farthing/db/schema.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql, type Selectable } from "kysely";
import { eachApart } from "../due-work/each-apart.server.ts";
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
 * deleted. Copies elsewhere are erased by `finishErasures`.
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
 * Deletes the events of everybody who is to be erased from this database, whatever becomes of the copy. May be called again after any failure. Returns the
 * number of requests.
 * @throws AggregateError after all others, if some could not be done
 */
export async function eraseRequested(db: Db, { keys }: { keys: TelemetryUserKeys }): Promise<number> {
  const requests = await db
    .selectFrom("telemetry_erasures")
    .selectAll()
    .where("erased_below", "is", null)
    .orderBy("requested_at")
    .execute();
  const erase = async ({ id, brand_id: brandId, member_id: memberId }: ErasureRequest) => {
    await eraseTelemetryOf(db, { brandId, userIds: telemetryUserIds(keys, { brandId, memberId }) });
    const below = await writtenBelow(db);
    await db.updateTable("telemetry_erasures").set({ erased_below: below }).where("id", "=", id).execute();
    return true;
  };
  return eachApart(requests, erase, { nameOf });
}

/**
 * Erases the copy, once everything that was written before has been copied, so that a batch on its way can't bring events back; with that, or without a
 * copy, a request is done. May be called again after any failure. Returns the number of requests that are done.
 * @throws as eraseRequested does
 */
export async function finishErasures(
  db: Db,
  { keys, sink }: { keys: TelemetryUserKeys; sink: TelemetrySink | null },
): Promise<number> {
  const isCopied = sink
    ? sql<boolean>`erased_below <= (select exported_below from telemetry_exports where sink = ${sink.name})`
    : sql<boolean>`erased_below is not null`;
  const requests = await db
    .selectFrom("telemetry_erasures")
    .selectAll()
    .where(isCopied)
    .orderBy("requested_at")
    .execute();
  const finish = async ({ id, brand_id: brandId, member_id: memberId }: ErasureRequest) => {
    await sink?.erase(telemetryUserIds(keys, { brandId, memberId }));
    await db.deleteFrom("telemetry_erasures").where("id", "=", id).execute();
    return true;
  };
  return eachApart(requests, finish, { nameOf });
}

type ErasureRequest = Selectable<TelemetryErasures>;

function nameOf({ id }: ErasureRequest): string {
  return `Erasure ${id}`;
}

/** Returns a bound above all transactions that have begun. */
async function writtenBelow(db: Db): Promise<number> {
  const { rows } = await sql<{ below: number }>`
    select xact_offset + pg_snapshot_xmax(pg_current_snapshot())::text::bigint as below from telemetry_watermark`.execute(
    db,
  );
  return rows[0]!.below;
}
