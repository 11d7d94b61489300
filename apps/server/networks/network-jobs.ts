import { foldTotals } from "@farthing/core/ledger/totals.server.ts";
import { nextEventDue } from "@farthing/core/networks/events.server.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Pool } from "pg";
import { confirmDuePushes } from "./confirm-pushes.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";
import { pollReports } from "./poll-reports.ts";

export interface NetworkJobParts {
  db: Db;
  /** One of its connections is kept to listen for new pushes. */
  pool: Pool;
  networks: NetworkRegistry;
  /** Seconds between two readings of each pass of a network's report, by slug. */
  pollSeconds: Readonly<Record<string, number>>;
  logger: JobLogger;
  now?: () => Date;
}

const FOLD_MS = 60_000;
/** Held transactions are credited by the same round, also where no network is set up. */
const MAX_POLL_SECONDS = 86_400;
/** The longest sleep where notifications do not get through (a transaction pooler). */
const UNANNOUNCED_MS = 2_000;

/**
 * Confirms pushes as they come (C2), polls the reports, and folds the ledger's totals. Runs in every process with the
 * role worker.
 */
export function startNetworkJobs({
  db,
  pool,
  networks,
  pollSeconds,
  logger,
  now = () => new Date(),
}: NetworkJobParts): Job {
  const networkSlugs = networks.all.map(({ slug }) => slug);
  const jobs = [
    startJob({
      name: "confirm pushes",
      logger,
      idleMs: UNANNOUNCED_MS,
      round: () => confirmDuePushes({ db, networks, now, logger }),
      nextDue: () => nextEventDue(db, { networkSlugs }),
      now,
      wakeOn: { pool, channel: "network_events" },
    }),
    startJob({
      name: "poll reports",
      logger,
      idleMs: Math.min(...Object.values(pollSeconds), MAX_POLL_SECONDS) * 1000,
      async round() {
        await pollReports({ db, networks, now, logger, pollSeconds });
        return 0;
      },
    }),
    startJob({
      name: "fold totals",
      logger,
      idleMs: FOLD_MS,
      async round() {
        await foldTotals(db);
        return 0;
      },
    }),
  ];
  return {
    async close() {
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}
