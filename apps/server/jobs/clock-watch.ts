import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { JobLogger } from "./job-logger.ts";
import { startLoop } from "./loop.ts";

export interface ClockWatchParts {
  db: Db;
  logger: JobLogger;
  now?: () => Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

const everyMs = 15_000;
/** A clock that is set right by small steps stays below this; codes are good for 30 seconds to each side. */
const jumpMs = 5_000;

/**
 * Tells when the wall clock jumps (against the monotonic one, or while the machine slept) or differs from the database's. Nothing here depends on it but
 * what a person means by a time: codes from phones are refused while it is wrong, and whoever reads the log should not have to guess why.
 */
export function startClockWatch({
  db,
  logger,
  now = () => new Date(),
  clock = () => performance.now(),
}: ClockWatchParts): { close(): Promise<void> } {
  let drift: number | null = null;
  let isApart = false;
  return startLoop({
    onError: (error) => logger.error({ err: error, job: "clock watch" }, "a job failed and will run again"),
    async round() {
      const seen = now().getTime() - clock();
      if (drift !== null && Math.abs(seen - drift) >= jumpMs)
        logger.error(
          { seconds: Math.round((seen - drift) / 1000) },
          "the wall clock jumped; codes from phones need the right time",
        );
      drift = seen;
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
      const apartMs = rows[0] ? now().getTime() - rows[0].at.getTime() : 0;
      const wasApart = isApart;
      isApart = Math.abs(apartMs) >= jumpMs;
      if (isApart && !wasApart)
        logger.error(
          { seconds: Math.round(apartMs / 1000) },
          "this machine's clock and the database's differ; set both by NTP",
        );
      return everyMs;
    },
  });
}
