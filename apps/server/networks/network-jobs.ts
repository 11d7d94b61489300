import { foldTotals } from "@farthing/core/ledger/totals.server.ts";
import { nextEventDue } from "@farthing/core/networks/events.server.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Pool } from "pg";
import { confirmDuePushes } from "./confirm-pushes.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startListening } from "../jobs/listening.ts";
import { startLoop, type Loop } from "../jobs/loop.ts";
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
/** The longest sleep while pushes may come unannounced: where notifications do not get through (a transaction pooler). */
const UNANNOUNCED_MS = 2_000;

/**
 * The work behind the webhooks, for processes with the role worker: confirm pushes as they come, poll the reports, fold the ledger's totals.
 * The queue is the table of pushes itself, taken with SKIP LOCKED: a push is its own job, written in the transaction that stored it, so there is
 * no second place that could disagree. Any number of processes may run this.
 */
export function startNetworkJobs({
  db,
  pool,
  networks,
  pollSeconds,
  logger,
  now = () => new Date(),
}: NetworkJobParts): { close(): Promise<void> } {
  const onError = (name: string) => (error: unknown) =>
    logger.error({ err: error, job: name }, "a job failed and will run again");
  const confirming = startLoop({
    onError: onError("confirm pushes"),
    async round() {
      if ((await confirmDuePushes({ db, networks, now, logger })) > 0) return 0;
      const due = await nextEventDue(db);
      return due ? Math.min(Math.max(due.getTime() - now().getTime(), 10), UNANNOUNCED_MS) : UNANNOUNCED_MS;
    },
  });
  const polling = startLoop({
    onError: onError("poll reports"),
    async round() {
      await pollReports({ db, networks, now, logger, pollSeconds });
      return Math.min(...Object.values(pollSeconds), MAX_POLL_SECONDS) * 1000;
    },
  });
  const folding = startLoop({
    onError: onError("fold totals"),
    async round() {
      await foldTotals(db);
      return FOLD_MS;
    },
  });
  const listening = startListening({
    pool,
    channel: "network_events",
    onNotice: confirming.wake,
    onError: onError("listen for pushes"),
  });
  const loops: Loop[] = [confirming, polling, folding];
  return {
    async close() {
      await Promise.all([listening.close(), ...loops.map((loop) => loop.close())]);
    },
  };
}
