import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import { dueReferrals, watchReferrals } from "@farthing/core/referrals/watch-referrals.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

const IDLE_MS = 3_000;

/** Settles referrals when their friend, a purchase or the time moves on (C8). Runs in every process with the role worker. */
export function startReferralJobs({
  db,
  unsubscribeKeys,
  logger,
  now = () => new Date(),
}: {
  db: Db;
  unsubscribeKeys: UnsubscribeKeys;
  logger: JobLogger;
  now?: () => Date;
}): Job {
  return startJob({
    name: "referrals",
    logger,
    idleMs: IDLE_MS,
    nextDue: () => dueReferrals.nextDue(db),
    now,
    async round() {
      const { looked, failed } = await watchReferrals(db, { keys: unsubscribeKeys, now: now() });
      if (failed > 0) logger.error({ failed }, "referrals could not be settled and will be again");
      return looked;
    },
  });
}
