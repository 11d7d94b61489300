import { announceCashbackChanges } from "@farthing/core/cashback-notices/announce-changes.server.ts";
import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";

export interface CashbackJobParts {
  db: Db;
  unsubscribeKeys: UnsubscribeKeys;
  logger: JobLogger;
  now?: () => Date;
}

const IDLE_MS = 3_000;

/** Writes to members about their cashback's changes, for processes with the role worker; any number may (product.md C3, M9). */
export function startCashbackJobs({ db, unsubscribeKeys, logger, now = () => new Date() }: CashbackJobParts): {
  close(): Promise<void>;
} {
  return startLoop({
    onError: (error) => logger.error({ err: error, job: "cashback mails" }, "a job failed and will run again"),
    async round() {
      const members = await announceCashbackChanges(db, { keys: unsubscribeKeys, now: now() });
      if (members > 0) logger.info({ members }, "members were written to about their cashback");
      return members > 0 ? 0 : IDLE_MS;
    },
  });
}
