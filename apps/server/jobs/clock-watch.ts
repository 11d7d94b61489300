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

const INTERVAL_MS = 15_000;
/** NTP's small corrections stay below this. Codes from phones are valid for 30 seconds to each side. */
const MIN_JUMP_MS = 5_000;

/**
 * Logs when the wall clock jumps (against the monotonic clock, or while the machine slept) or differs from the
 * database's. While it is wrong, codes from phones are refused, and the log has to say why.
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
      if (drift !== null && Math.abs(seen - drift) >= MIN_JUMP_MS)
        logger.error(
          { seconds: Math.round((seen - drift) / 1000) },
          "the wall clock jumped; codes from phones need the right time",
        );
      drift = seen;
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
      const apartMs = rows[0] ? now().getTime() - rows[0].at.getTime() : 0;
      const wasApart = isApart;
      isApart = Math.abs(apartMs) >= MIN_JUMP_MS;
      if (isApart && !wasApart)
        logger.error(
          { seconds: Math.round(apartMs / 1000) },
          "this machine's clock and the database's differ; set both by NTP",
        );
      return INTERVAL_MS;
    },
  });
}
