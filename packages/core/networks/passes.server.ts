import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { lateRetryAt, newPass, nextDay, windowsOf, type PassRecord, type Window } from "./pass-windows.ts";
import type { ReportPass } from "./provider.ts";

/** The report's own passes, and `payment`, which requests approved transactions by id to see whether they are paid. */
export type PollPass = ReportPass | "payment";

export interface ClaimedPass {
  /** From the end of what is covered, less an overlap, until now. */
  recent: Window;
  /** The dates before `recent` under which a sale may have been reported late; null where they are not due. Always null for `payment`. */
  late: (Window & { beganAt: Date }) | null;
}

interface PassId {
  networkId: string;
  pass: PollPass;
}

/** The end of a window: read whole, or the problem and the date up to which pages arrived. */
export type WindowResult = { coveredUntil: Date } | { problem: string; coveredUntil?: Date | null };

/**
 * Claims a pass if it is due, so that one process reads it at a time; returns null if it is not. What is read follows from what was covered, never from
 * what was tried: see pass-windows.ts. A process that ends after the claim loses nothing but the time until the pass is due again.
 */
export async function claimPass(
  db: Db,
  { networkId, pass, now, everyMs }: PassId & { now: Date; everyMs: number },
): Promise<ClaimedPass | null> {
  return db.transaction().execute(async (trx) => {
    const fresh = newPass(now);
    const inserted = await trx
      .insertInto("network_passes")
      .values({ network_id: networkId, pass, ran_at: now, ...columnsOf(fresh) })
      .onConflict((conflict) => conflict.columns(["network_id", "pass"]).doNothing())
      .executeTakeFirst();
    const stored =
      inserted.numInsertedOrUpdatedRows === 1n ? fresh : await lockDue(trx, { networkId, pass, now, everyMs });
    if (!stored) return null;
    const { recent, late, record } = windowsOf(stored, now);
    const look = pass === "payment" ? null : late;
    await trx
      .updateTable("network_passes")
      .set({ ran_at: now, ...columnsOf(look ? record : { ...record, look: stored.look }) })
      .where("network_id", "=", networkId)
      .where("pass", "=", pass)
      .execute();
    return { recent, late: look && { ...look, beganAt: record.look!.beganAt } };
  });
}

/** Locks a pass that was claimed before, and returns it if it is due. A claim that lies in the future, by a clock that was ahead, does not count. */
async function lockDue(
  trx: Db,
  { networkId, pass, now, everyMs }: PassId & { now: Date; everyMs: number },
): Promise<PassRecord | null> {
  const row = await trx
    .selectFrom("network_passes")
    .selectAll()
    .where("network_id", "=", networkId)
    .where("pass", "=", pass)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const age = now.getTime() - row.ran_at.getTime();
  if (age < everyMs && age >= -everyMs) return null;
  return {
    coveredUntil: row.covered_until,
    lateCoveredAt: row.late_covered_at,
    look:
      row.late_began_at && row.late_read_until ? { beganAt: row.late_began_at, readUntil: row.late_read_until } : null,
    lateDueAt: row.late_due_at,
  };
}

function columnsOf({ coveredUntil, lateCoveredAt, look, lateDueAt }: PassRecord) {
  return {
    covered_until: coveredUntil,
    late_covered_at: lateCoveredAt,
    late_began_at: look?.beganAt ?? null,
    late_read_until: look?.readUntil ?? null,
    late_due_at: lateDueAt,
  };
}

/**
 * Records the result of a pass's recent window. A failed one is read again by the next pass, from `coveredUntil` on if pages up to there arrived. What
 * is covered never shrinks, in whatever order two processes end.
 */
export async function finishPass(
  db: Db,
  { networkId, pass, result }: PassId & { result: WindowResult },
): Promise<void> {
  await db
    .updateTable("network_passes")
    .set({
      last_error: "problem" in result ? result.problem.slice(0, 1_000) : null,
      ...(result.coveredUntil ? { covered_until: sql<Date>`greatest(covered_until, ${result.coveredUntil})` } : {}),
    })
    .where("network_id", "=", networkId)
    .where("pass", "=", pass)
    .execute();
}

/**
 * Records the result of a look for late sales. One that read all of its window is due again the next day; one that failed goes on from where it stopped.
 * The result of a look that another process has ended is dropped.
 */
export async function finishLateLook(
  db: Db,
  { networkId, pass, beganAt, result, now }: PassId & { beganAt: Date; result: WindowResult; now: Date },
): Promise<void> {
  const readUntil = "problem" in result ? (result.coveredUntil ?? null) : null;
  await db
    .updateTable("network_passes")
    .set(
      "problem" in result
        ? {
            late_error: result.problem.slice(0, 1_000),
            late_due_at: sql<Date>`case when ${readUntil}::timestamptz > late_read_until then ${now}::timestamptz else ${lateRetryAt(now)}::timestamptz end`,
            late_read_until: sql<Date>`greatest(late_read_until, ${readUntil}::timestamptz)`,
          }
        : {
            late_error: null,
            late_covered_at: beganAt,
            late_began_at: null,
            late_read_until: null,
            late_due_at: nextDay(now),
          },
    )
    .where("network_id", "=", networkId)
    .where("pass", "=", pass)
    .where("late_began_at", "=", beganAt)
    .execute();
}

/** Returns the passes in order of their last run, those that have never run first: whatever fails or uses up the limit of calls comes last the next time. */
export async function orderPasses(
  db: Db,
  { networkId, passes }: { networkId: string; passes: readonly PollPass[] },
): Promise<PollPass[]> {
  const ran = new Map(
    (
      await db.selectFrom("network_passes").select(["pass", "ran_at"]).where("network_id", "=", networkId).execute()
    ).map((row) => [row.pass, row.ran_at.getTime()]),
  );
  return [...passes].sort((a, b) => (ran.get(a) ?? 0) - (ran.get(b) ?? 0));
}
