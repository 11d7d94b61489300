import { forgetOldEntries } from "@farthing/core/audit/forget-entries.server.ts";
import { forgetOld, RowsRefusedError } from "@farthing/core/retention/forget-old.server.ts";
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
  // Once after its start a process looks at what a long pause may have left.
  let wasThorough = false;
  return startJob({
    name: "retention",
    logger: parts.logger,
    idleMs: IDLE_MS,
    async round(ending) {
      await forgetAllOld(parts, { ending, isThorough: !wasThorough });
      wasThorough = true;
      return 0;
    },
  });
}

/**
 * One round. Logs how many rows of which table were deleted or emptied, and which tables have rows that the database refuses: a person has to look
 * at these, and the next round finds them again.
 */
export async function forgetAllOld(
  { db, logger, now = () => new Date() }: RetentionParts,
  { ending = new AbortController().signal, isThorough = false }: { ending?: AbortSignal; isThorough?: boolean } = {},
): Promise<void> {
  const done: Record<string, number> = {};
  const count = (table: string, rows: number) => {
    if (rows > 0) done[table] = (done[table] ?? 0) + rows;
  };
  await allSteps([
    ...TERMS.map(({ table, term }) => async () => {
      if (ending.aborted) return;
      try {
        count(table, await forgetOld(db, { table, term, now: now(), ending, isThorough }));
      } catch (error) {
        if (!(error instanceof RowsRefusedError)) throw error;
        count(table, error.done);
        logger.error({ err: error, table }, "rows are past their term, and the database refuses to forget them");
      }
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
