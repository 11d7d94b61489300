import { announceCashbackChanges } from "@farthing/core/cashback-notices/announce-changes.server.ts";
import { dueWatches, watchPurchases } from "@farthing/core/cashback-notices/watch-purchases.server.ts";
import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface CashbackJobParts {
  db: Db;
  unsubscribeKeys: UnsubscribeKeys;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 3_000;
const WATCH_IDLE_MS = 60_000;

/**
 * Writes to members about changes of their cashback, and watches what is expected of open purchases (C3, M9). Runs in every process with the
 * role worker.
 */
export function startCashbackJobs({ db, unsubscribeKeys, logger, now = () => new Date() }: CashbackJobParts): Job {
  const mails = startJob({
    name: "cashback mails",
    logger,
    idleMs: IDLE_MS,
    async round() {
      const members = await announceCashbackChanges(db, { keys: unsubscribeKeys, now: now() });
      if (members > 0) logger.info({ members }, "members were written to about their cashback");
      return members;
    },
  });
  const watch = startJob({
    name: "watch purchases",
    logger,
    idleMs: WATCH_IDLE_MS,
    nextDue: () => dueWatches.nextDue(db),
    now,
    async round() {
      const { looked, overdue, failed } = await watchPurchases(db, { keys: unsubscribeKeys, now: now() });
      if (overdue > 0) logger.warn({ overdue }, "purchases are overdue, and their members were told");
      if (failed > 0) logger.error({ failed }, "purchases could not be looked at and will be again");
      return looked;
    },
  });
  return {
    async close() {
      await Promise.all([mails.close(), watch.close()]);
    },
  };
}
