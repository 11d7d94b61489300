import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Pool } from "pg";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startListening } from "../jobs/listening.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

/** Changes within a minute are indexed together: an index of 100,000 offers takes some seconds. */
const ROUND_MS = 60_000;
/** Offers begin and end without a change: the counts of categories follow within an hour. */
const REST_MS = 3_600_000;

/**
 * Keeps the words that can be searched for and the counts of categories up to date (D2). What operators change is found at once
 * (refresh-offers.server.ts); this follows within a minute. Runs in every process with the role worker.
 */
export function startIndexJobs({
  db,
  pool,
  logger,
  roundMs = ROUND_MS,
  now = () => new Date(),
}: {
  db: Db;
  pool: Pool;
  logger: JobLogger;
  roundMs?: number;
  now?: () => Date;
}): Job {
  let hasChanged = false;
  let rest = 0;
  const listening = startListening({
    pool,
    channel: "site_content",
    onNotice: () => (hasChanged = true),
    onError: (error) =>
      logger.error({ err: error, job: "index the catalogue: listen" }, "a job failed and will run again"),
  });
  const job = startJob({
    name: "index the catalogue",
    logger,
    idleMs: roundMs,
    async round() {
      rest += 1;
      if (!hasChanged && rest * roundMs < REST_MS) return 0;
      hasChanged = false;
      rest = 0;
      try {
        await indexCatalogue(db, { now: now() });
      } catch (error) {
        hasChanged = true;
        throw error;
      }
      return 0;
    },
  });
  return {
    async close() {
      await Promise.all([listening.close(), job.close()]);
    },
  };
}
