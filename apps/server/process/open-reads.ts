import type { Db } from "@farthing/db/client.ts";
import { openStandby, type StaleReads } from "@farthing/db/stale-reads.ts";
import type { Config } from "../env.ts";
import { startLoop } from "../jobs/loop.ts";
import type { Logger } from "../monitoring/logger.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { Closing } from "./shutdown.ts";

const LOOK_MS = 2_000;

/**
 * Returns how to read what may be some seconds old (R3): from the standby of DATABASE_READ_URL while it answers and keeps up, else from the
 * primary. The log says when that changes.
 */
export function openReads({
  config,
  db,
  logger,
  closing,
  metrics,
}: {
  config: Pick<Config, "databaseReadUrl" | "databasePoolSize">;
  db: Db;
  logger: Pick<Logger, "info" | "warn" | "error">;
  closing: Closing[];
  metrics: Pick<Metrics, "watchStandby">;
}): StaleReads {
  if (config.databaseReadUrl === null) return (read) => read(db);
  const standby = openStandby({
    url: config.databaseReadUrl,
    primary: db,
    max: Math.max(2, Math.ceil(config.databasePoolSize / 4)),
    onState(state, why) {
      if (state === "fresh") logger.info("reads that may be old go to the standby");
      else logger.warn({ state, why }, "the standby is not read; the primary answers instead");
    },
  });
  metrics.watchStandby(() => standby.state === "fresh");
  const looking = startLoop({
    onError: (error) => logger.error({ err: error }, "how far the standby is behind is not known"),
    async round() {
      await standby.look();
      return LOOK_MS;
    },
  });
  closing.push({
    name: "the standby",
    async close() {
      await looking.close();
      await standby.close();
    },
  });
  return standby.readStale;
}
