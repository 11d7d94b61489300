import { advanceClosures, finishClosures, settleLateCashback } from "@farthing/core/closures/close-member.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";

export interface ClosureJobParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 60_000;

/** Closes accounts whose time has come, and clears up after them; for processes with the role worker, any number of them (product.md M5). */
export function startClosureJobs(parts: ClosureJobParts): { close(): Promise<void> } {
  return startLoop({
    onError: (error) => parts.logger.error({ err: error, job: "closures" }, "a job failed and will run again"),
    async round() {
      await lookAfterClosures(parts);
      return IDLE_MS;
    },
  });
}

/** One round. */
export async function lookAfterClosures({ db, logger, now = () => new Date() }: ClosureJobParts): Promise<void> {
  const done = { moved: 0, late: 0, finished: 0 };
  await allSteps([
    async () => (done.moved = await advanceClosures(db, { now: now() })),
    async () => (done.late = await settleLateCashback(db, { now: now() })),
    async () => (done.finished = await finishClosures(db, { now: now() })),
  ]).finally(() => {
    if (done.moved + done.late + done.finished > 0) logger.info(done, "closures were looked after");
  });
}
