import { sumOffers } from "@farthing/core/reports/offer-sums.server.ts";
import { sumMoney } from "@farthing/core/reports/money-sums.server.ts";
import { keepHours } from "@farthing/core/reports/report-hours.server.ts";
import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import { dropDays, indexDays, openDays } from "@farthing/core/telemetry/days.server.ts";
import {
  eraseRequested,
  finishErasures,
  repeatErasures,
  type TelemetryUserKeys,
} from "@farthing/core/telemetry/erasures.server.ts";
import { exportBatch } from "@farthing/core/telemetry/exporter.server.ts";
import { addDays, utcDay } from "@farthing/core/telemetry/rules.ts";
import { lookUpTerms, type CountResults } from "@farthing/core/telemetry/search-results.server.ts";
import type { TelemetrySink } from "@farthing/core/telemetry/sink.ts";
import { alignTransactions, sumEvents } from "@farthing/core/telemetry/sums.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startJob, type Job } from "../jobs/start-job.ts";

export interface TelemetryJobParts {
  db: Db;
  /** A copy of the events; null: none. */
  sink: TelemetrySink | null;
  keys: TelemetryUserKeys;
  /** Days that events are kept. */
  keptDays: number;
  logger: JobLogger;
  now?: () => Date;
}

const DAYS_AHEAD = 3;
const DAYS_MS = 10 * 60_000;
const SUMS_MS = 20_000;
const OFFERS_MS = 5 * 60_000;
const ERASURES_MS = 60_000;
const EXPORT_MS = 5_000;
/** Searches that are looked up in one round: each costs what a visitor's search does. */
const MAX_TERMS = 50;

/**
 * Makes and drops the days of events, sums events, clicks and money for the reports, looks up what searches find, erases events of members who left, and
 * copies events to another database (T3, T7). Runs in every process with the role worker; each job is safe beside itself.
 */
export function startTelemetryJobs(parts: TelemetryJobParts): Job {
  const { db, sink, keys, keptDays, logger, now = () => new Date() } = parts;
  const job = (name: string, idleMs: number, round: () => Promise<number>) => startJob({ name, logger, idleMs, round });
  const jobs = [
    job("telemetry days", DAYS_MS, async () => {
      await keepDays({ ...parts, now });
      return 0;
    }),
    job("telemetry sums", SUMS_MS, async () => {
      await alignTransactions(db);
      await sumEvents(db);
      return 0;
    }),
    job("searches", SUMS_MS, async () =>
      (await lookUpTerms(db, countResults(db), { now: now(), max: MAX_TERMS })) < MAX_TERMS ? 0 : 1,
    ),
    job("report sums", OFFERS_MS, async () => {
      await sumOffers(db, { now: now() });
      return 0;
    }),
    job("money sums", OFFERS_MS, async () => {
      await sumMoney(db);
      return 0;
    }),
    job("report hours", OFFERS_MS, async () => {
      await keepHours(db, { now: now() });
      return 0;
    }),
    job("telemetry erasures", ERASURES_MS, async () => {
      await allSteps([
        () => eraseRequested(db, { keys, now: now() }),
        () => repeatErasures(db, { keys, now: now(), keptDays }),
      ]);
      return 0;
    }),
    // On its own: a copy that answers slowly delays no erasure here.
    job("telemetry erasures of the copy", ERASURES_MS, async () => {
      await finishErasures(db, { keys, sink, now: now(), keptDays });
      return 0;
    }),
    ...(sink
      ? [
          job("telemetry copy", EXPORT_MS, async () => {
            await sink.open();
            const sent = await exportBatch(db, sink, { now: now() });
            return sent.outcome === "sent" ? sent.events : 0;
          }),
        ]
      : []),
  ];
  return {
    async close() {
      await Promise.all(jobs.map((each) => each.close()));
    },
  };
}

/** Makes the days to come, drops those that are over their time, and indexes those that are written no more. */
export async function keepDays({
  db,
  sink,
  keptDays,
  logger,
  now,
}: TelemetryJobParts & { now(): Date }): Promise<void> {
  const today = utcDay(now());
  const before = addDays(today, -keptDays);
  await allSteps([
    async () => {
      await openDays(db, { from: today, days: DAYS_AHEAD + 1 });
    },
    async () => {
      const dropped = await dropDays(db, { before });
      if (dropped.length > 0) logger.info({ dropped }, "days of telemetry were dropped");
    },
    // Yesterday may still be written by a request that began before midnight.
    () => indexDays(db, { before: addDays(today, -1) }),
    ...(sink ? [() => sink.dropBefore(before)] : []),
  ]);
}

/** What a visitor who types the term would be shown. */
function countResults(db: Db): CountResults {
  return async ({ brandId, term, now }) => {
    const found = await searchCatalogue(db, { brandId, now, query: term, sort: "relevance", page: 1 });
    return found.total + found.retailers.length + found.categories.length;
  };
}
