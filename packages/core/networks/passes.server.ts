import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { ReportPass } from "./provider.ts";

/** The report's own passes, and `payment`, which requests approved transactions by id to see whether they are paid. */
export type PollPass = ReportPass | "payment";

export interface ClaimedPass {
  /** Start of the window: the end of what is covered less an overlap, or the whole reach once a day. */
  from: Date;
  to: Date;
}

export type PassResult = { coveredUntil: Date } | { problem: string; coveredUntil?: Date | null };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back the first pass and one pass a day read: a sale may be reported late, under the date it was made. */
const REACH_MS = 31 * DAY_MS;

/**
 * Claims a pass if it is due, so that one process reads it at a time; returns null if it is not. Windows overlap by an hour, for sales that the
 * network files a little late, and reach back a month once a day, for those it files much later.
 */
export async function claimPass(
  db: Db,
  { networkId, pass, now, everyMs }: { networkId: string; pass: PollPass; now: Date; everyMs: number },
): Promise<ClaimedPass | null> {
  const start = new Date(now.getTime() - REACH_MS);
  const { rows } = await sql<{ covered_until: Date; ran_before: Date | null }>`
    with before as (select ran_at from network_passes where network_id = ${networkId} and pass = ${pass})
    insert into network_passes as known (network_id, pass, covered_until, ran_at) values (${networkId}, ${pass}, ${start}, ${now})
    on conflict (network_id, pass) do update set ran_at = excluded.ran_at where known.ran_at <= ${new Date(now.getTime() - everyMs)}
    returning covered_until, (select ran_at from before) as ran_before`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const isFirstToday =
    row.ran_before === null || Math.floor(row.ran_before.getTime() / DAY_MS) !== Math.floor(now.getTime() / DAY_MS);
  const overlapped = new Date(row.covered_until.getTime() - HOUR_MS);
  return { from: isFirstToday && start < overlapped ? start : overlapped, to: now };
}

/**
 * Records the result of a pass. The window of a failed pass is read again by the next one, from `coveredUntil` on if pages up to there arrived.
 */
export async function finishPass(
  db: Db,
  {
    networkId,
    pass,
    result,
  }: {
    networkId: string;
    pass: PollPass;
    result: PassResult;
  },
): Promise<void> {
  await db
    .updateTable("network_passes")
    .set(
      "problem" in result
        ? {
            last_error: result.problem.slice(0, 1_000),
            ...(result.coveredUntil ? { covered_until: sql`greatest(covered_until, ${result.coveredUntil})` } : {}),
          }
        : { covered_until: result.coveredUntil, last_error: null },
    )
    .where("network_id", "=", networkId)
    .where("pass", "=", pass)
    .execute();
}

/** Returns the passes in order of their last run, those that have never run first. */
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
