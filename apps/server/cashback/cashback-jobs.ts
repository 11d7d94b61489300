import { announceCashbackChanges } from "@farthing/core/cashback-notices/announce-changes.server.ts";
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

/** Writes to members about changes of their cashback (C3, M9). Runs in every process with the role worker. */
export function startCashbackJobs({ db, unsubscribeKeys, logger, now = () => new Date() }: CashbackJobParts): Job {
  return startJob({
    name: "cashback mails",
    logger,
    idleMs: IDLE_MS,
    async round() {
      const members = await announceCashbackChanges(db, { keys: unsubscribeKeys, now: now() });
      if (members > 0) logger.info({ members }, "members were written to about their cashback");
      return members;
    },
  });
}
