import { announceRateRises } from "@farthing/core/alerts/announce-rises.server.ts";
import { measureTimings } from "@farthing/core/cashback/timings.server.ts";
import { workOutScorecards } from "@farthing/core/scorecards/operations.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface RetailerJobParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
}

/** Rates change when a file is imported and when a boost begins. Neither is announced, so the job polls. */
const RATES_MS = 60_000;
const SCORECARDS_MS = 3 * 3_600_000;

/**
 * Tells members of rates that rose (D10), and works out retailers' scorecards (D3) and how long they take (C3). Runs in every process with the
 * role worker.
 */
export function startRetailerJobs({ db, logger, now = () => new Date() }: RetailerJobParts): Job {
  const rates = startJob({
    name: "announce rates that rose",
    logger,
    idleMs: RATES_MS,
    async round() {
      const mails = await announceRateRises(db, { now: now() });
      if (mails > 0) logger.info({ mails }, "members are told of rates that rose");
      return 0;
    },
  });
  const scorecards = startJob({
    name: "work out scorecards",
    logger,
    idleMs: SCORECARDS_MS,
    async round() {
      await allSteps([() => workOutScorecards(db, { now: now() }), () => measureTimings(db, { now: now() })]);
      return 0;
    },
  });
  return {
    async close() {
      await Promise.all([rates.close(), scorecards.close()]);
    },
  };
}
