import { setTimeout as delay } from "node:timers/promises";
import { type Backfill, fillBatch, readBackfills } from "@farthing/db/backfills.ts";
import type { Pool } from "pg";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface BackfillParts {
  pool: Pool;
  logger: JobLogger;
  /** Returns what is to be filled in; by default the backfills of this version. */
  read?: () => Promise<Backfill[]>;
}

const IDLE_MS = 60_000;

/**
 * Fills in existing rows after an upgrade (R2), a batch at a time, at most half of the time: traffic has the other half. Runs in every process with
 * the role worker; several share the work.
 */
export function startBackfills({ pool, logger, read = readBackfills }: BackfillParts): Job {
  let left: Backfill[] | null = null;
  return startJob({
    name: "backfills",
    logger,
    idleMs: IDLE_MS,
    async round(ending) {
      left ??= await read();
      const [backfill] = left;
      if (!backfill) return 0;
      const client = await pool.connect();
      let filled;
      const from = performance.now();
      try {
        filled = await fillBatch(client, backfill);
      } finally {
        client.release();
      }
      const { outcome, rowsSeen } = filled;
      if (outcome === "busy") return 0;
      if (outcome === "finished") {
        left = left.slice(1);
        logger.info({ backfill: backfill.name, rows: rowsSeen }, "a backfill is finished");
      }
      await delay(performance.now() - from, undefined, { signal: ending }).catch(() => undefined);
      return 1;
    },
  });
}
