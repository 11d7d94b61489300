import { tracingChannel } from "node:diagnostics_channel";
import type { Pool } from "pg";
import type { JobLogger } from "./job-logger.ts";
import { startListening } from "./listening.ts";
import { startLoop } from "./loop.ts";

/** Each round of each job, for whoever subscribes. */
export const jobRounds = tracingChannel<unknown, JobRound>("farthing:job");

export interface JobRound {
  /** The job's. */
  name: string;
}

export interface JobOptions {
  /** What the log calls it. */
  name: string;
  logger: JobLogger;
  /**
   * Does what is due and returns how much there was. Above zero, the next round follows at once. `ending` is aborted
   * when the process stops: begin nothing more, and let go of what can be let go.
   */
  round(ending: AbortSignal): Promise<number>;
  /** The longest sleep after a round that had nothing to do. */
  idleMs: number;
  /** When the next work is due, if that is known: the job sleeps no longer than until then. */
  nextDue?(): Promise<Date | null>;
  /** What `nextDue` is compared with. */
  now?: () => Date;
  /** A channel of the database that announces new work. Keeps one connection of the pool. */
  wakeOn?: { pool: Pool; channel: string };
}

export interface Job {
  /** Resolves when the round in hand is done and no connection is kept. */
  close(): Promise<void>;
}

/**
 * No shorter sleep, so that work which is due and can't be claimed (another worker has it locked) keeps no
 * processor busy.
 */
const MIN_SLEEP_MS = 10;

/**
 * Runs a job in rounds until it is closed. A round that fails is logged and tried again, at most once a minute after
 * repeated failures.
 */
export function startJob({ name, logger, round, idleMs, nextDue, now = () => new Date(), wakeOn }: JobOptions): Job {
  const ending = new AbortController();
  const onError = (job: string) => (error: unknown) =>
    logger.error({ err: error, job }, "a job failed and will run again");

  async function sleepMs(): Promise<number> {
    const due = (await nextDue?.()) ?? null;
    return due ? Math.min(Math.max(due.getTime() - now().getTime(), MIN_SLEEP_MS), idleMs) : idleMs;
  }

  const loop = startLoop({
    onError: onError(name),
    async round() {
      const done = await jobRounds.tracePromise(round, { name }, undefined, ending.signal);
      return done > 0 ? 0 : await sleepMs();
    },
  });
  const listening = wakeOn && startListening({ ...wakeOn, onNotice: loop.wake, onError: onError(`${name}: listen`) });
  return {
    async close() {
      ending.abort();
      await Promise.all([listening?.close(), loop.close()]);
    },
  };
}
