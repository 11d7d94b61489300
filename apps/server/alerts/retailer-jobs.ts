import { announceRateRises } from "@farthing/core/alerts/announce-rises.server.ts";
import { workOutScorecards } from "@farthing/core/scorecards/operations.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";

export interface RetailerJobParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

/** Rates move when a file is imported, and when a boost begins: nobody tells us, so we look. */
const RATES_MS = 60_000;
const SCORECARDS_MS = 3 * 3_600_000;

/** Tells members of rates that rose, and works out retailers' scorecards, for processes with the role worker; any number may (product.md D10, D3). */
export function startRetailerJobs({ db, logger, now = () => new Date() }: RetailerJobParts): {
  close(): Promise<void>;
} {
  const onError = (job: string) => (error: unknown) =>
    logger.error({ err: error, job }, "a job failed and will run again");
  const rates = startLoop({
    onError: onError("announce rates that rose"),
    async round() {
      const mails = await announceRateRises(db, { now: now() });
      if (mails > 0) logger.info({ mails }, "members are told of rates that rose");
      return RATES_MS;
    },
  });
  const scorecards = startLoop({
    onError: onError("work out scorecards"),
    async round() {
      await workOutScorecards(db, { now: now() });
      return SCORECARDS_MS;
    },
  });
  return {
    async close() {
      await Promise.all([rates.close(), scorecards.close()]);
    },
  };
}
