import { forgetOldEntries } from "@farthing/core/audit/forget-entries.server.ts";
import { forgetOld } from "@farthing/core/retention/forget-old.server.ts";
import { TERMS } from "@farthing/core/retention/rules.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface RetentionParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 6 * 60 * 60_000;

/**
 * Deletes or empties what is past its term (docs/operations/retention.md), four times a day; nothing depends on when. Runs in every
 * process with the role worker.
 */
export function startRetention(parts: RetentionParts): Job {
  return startJob({
    name: "retention",
    logger: parts.logger,
    idleMs: IDLE_MS,
    async round(ending) {
      await forgetAllOld(parts, ending);
      return 0;
    },
  });
}

/** One round. Logs how many rows of which table were deleted or emptied. */
export async function forgetAllOld(
  { db, logger, now = () => new Date() }: RetentionParts,
  ending = new AbortController().signal,
): Promise<void> {
  const done: Record<string, number> = {};
  const count = (table: string, rows: number) => {
    if (rows > 0) done[table] = (done[table] ?? 0) + rows;
  };
  await allSteps([
    ...TERMS.map(({ table, term }) => async () => {
      if (!ending.aborted) count(table, await forgetOld(db, { table, term, now: now(), ending }));
    }),
    async () => {
      while (!ending.aborted) {
        const deleted = await forgetOldEntries(db, { now: now() });
        if (deleted === 0) break;
        count("audit_entries", deleted);
      }
    },
  ]).finally(() => {
    if (Object.keys(done).length > 0) logger.info(done, "old rows were forgotten");
  });
}
