import { advanceClosures, finishClosures, settleLateCashback } from "@farthing/core/closures/close-member.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface ClosureJobParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 60_000;

/**
 * Closes the accounts that are due, and settles what comes in for closed ones (M5). Runs in every process with the
 * role worker.
 */
export function startClosureJobs(parts: ClosureJobParts): Job {
  return startJob({
    name: "closures",
    logger: parts.logger,
    idleMs: IDLE_MS,
    async round() {
      await advanceAllClosures(parts);
      return 0;
    },
  });
}

/** One round. */
export async function advanceAllClosures({ db, logger, now = () => new Date() }: ClosureJobParts): Promise<void> {
  const done = { moved: 0, late: 0, finished: 0 };
  await allSteps([
    async () => (done.moved = await advanceClosures(db, { now: now() })),
    async () => (done.late = await settleLateCashback(db, { now: now() })),
    async () => (done.finished = await finishClosures(db, { now: now() })),
  ]).finally(() => {
    if (done.moved + done.late + done.finished > 0) logger.info(done, "closures were advanced");
  });
}
