import type { Db, Trx } from "@farthing/db/client.ts";
import type { TelemetryErasures } from "@farthing/db/schema.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql, type Selectable } from "kysely";
import { eachApart } from "../due-work/each-apart.server.ts";
import type { TelemetrySink } from "./sink.ts";
import { listDays } from "./days.server.ts";
import { addDays, utcDay } from "./rules.ts";
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

/** Asks for the deletion of a member's events, in the transaction that closes the account (M5). Jobs of the worker do it, within minutes. */
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
 * Deletes the events of everybody who is to be erased from this database for the first time, whatever becomes of the copy. May be called again after any
 * failure. Returns the number of requests.
 * @throws AggregateError after all others, if some could not be done
 */
export async function eraseRequested(db: Db, { keys, now }: { keys: TelemetryUserKeys; now: Date }): Promise<number> {
  const requests = await db
    .selectFrom("telemetry_erasures")
    .selectAll()
    .where("erased_at", "is", null)
    .orderBy("requested_at")
    .execute();
  const erase = async ({ id, brand_id: brandId, member_id: memberId }: ErasureRequest) => {
    await eraseTelemetryOf(db, { brandId, userIds: telemetryUserIds(keys, { brandId, memberId }) });
    const below = await writtenBelow(db);
    const done = { erased_at: now, erased_below: below };
    await db.updateTable("telemetry_erasures").set(done).where("id", "=", id).execute();
    return true;
  };
  return eachApart(requests, erase, { nameOf });
}

/** How long events may stay that a page sends which was open when its member's account was closed. */
const REPEAT_MS = 24 * 3_600_000;
/** Requests that are repeated by one statement for each day of events. */
const REPEAT_BATCH = 5_000;

/**
 * Deletes once a day, for everybody whose account was closed within `keptDays`, what has arrived since the last time: a page that was open then knows
 * its pseudonym, and goes on sending. Only the days of events since then are read, and a copy is erased only of those who sent something. A request
 * that is older is done. May be called again after any failure. Returns the number of requests that were repeated.
 * @param keptDays days that events are kept
 */
export async function repeatErasures(
  db: Db,
  { keys, now, keptDays }: { keys: TelemetryUserKeys; now: Date; keptDays: number },
): Promise<number> {
  let repeated = 0;
  for (;;) {
    const requests = await db
      .selectFrom("telemetry_erasures")
      .selectAll()
      .where("erased_at", "<=", new Date(now.getTime() - REPEAT_MS))
      .orderBy("erased_at")
      .limit(REPEAT_BATCH)
      .execute();
    const [first] = requests;
    if (!first) return repeated;
    const ids = requests.map(({ id }) => id);
    // A day more: the collector's clock may be another.
    const found = await eraseSince(db, requests, { keys, since: addDays(utcDay(first.erased_at!), -1) });
    const below = await writtenBelow(db);
    await sql`
      update telemetry_erasures set erased_at = ${now}, erased_below = case when id = any(${found}::uuid[]) then ${below} else erased_below end
      where id = any(${ids}::uuid[])`.execute(db);
    await db
      .deleteFrom("telemetry_erasures")
      .where("id", "in", ids)
      .where("erased_below", "is", null)
      .where("requested_at", "<=", closedBefore(now, keptDays))
      .execute();
    repeated += requests.length;
  }
}

/** Deletes what arrived on UTC day `since` or later, a day at a time. Returns the ids of the requests that something was deleted for. */
async function eraseSince(
  db: Db,
  requests: readonly ErasureRequest[],
  { keys, since }: { keys: TelemetryUserKeys; since: string },
): Promise<string[]> {
  const pseudonyms = requests.flatMap(({ id, brand_id: brandId, member_id: memberId }) =>
    telemetryUserIds(keys, { brandId, memberId }).map((userId) => ({ id, brandId, userId })),
  );
  const found = new Set<string>();
  for (const { day } of (await listDays(db)).filter((known) => known.day >= since)) {
    const { rows } = await sql<{ id: string }>`
      delete from telemetry_events event
      using unnest(
        ${pseudonyms.map(({ id }) => id)}::uuid[], ${pseudonyms.map(({ brandId }) => brandId)}::uuid[], ${pseudonyms.map(({ userId }) => userId)}::text[]
      ) as erased (id, brand_id, user_id)
      where event.received_on = ${day}::date and event.user_id = erased.user_id and event.brand_id = erased.brand_id
      returning erased.id`.execute(db);
    for (const { id } of rows) found.add(id);
  }
  return [...found];
}

/**
 * Erases the copy, once everything that was written before has been copied, so that a batch on its way can't bring events back. Afterwards, or without a
 * copy, a request waits for `repeatErasures`, or is done if the account was closed more than `keptDays` ago. May be called again after any failure.
 * Returns the number of requests whose events were in the copy and are not any more, or were here alone.
 * @throws as eraseRequested does
 */
export async function finishErasures(
  db: Db,
  { keys, sink, now, keptDays }: { keys: TelemetryUserKeys; sink: TelemetrySink | null; now: Date; keptDays: number },
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
  const finish = async (request: ErasureRequest) => {
    const { id, brand_id: brandId, member_id: memberId, erased_below: below } = request;
    await sink?.erase(telemetryUserIds(keys, { brandId, memberId }));
    // Unless the erasure was repeated meanwhile and found more, which the copy may have.
    if (request.requested_at <= closedBefore(now, keptDays))
      await db.deleteFrom("telemetry_erasures").where("id", "=", id).where("erased_below", "=", below).execute();
    else
      await db
        .updateTable("telemetry_erasures")
        .set({ erased_below: null })
        .where("id", "=", id)
        .where("erased_below", "=", below)
        .execute();
    return true;
  };
  return eachApart(requests, finish, { nameOf });
}

/** Accounts that were closed by then need no repeated erasure: what was sent at that time has been dropped with its day. */
function closedBefore(now: Date, keptDays: number): Date {
  return new Date(now.getTime() - keptDays * 24 * 3_600_000);
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
