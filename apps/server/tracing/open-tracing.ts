import type { Config } from "../env.ts";
import type { Logger } from "../monitoring/logger.ts";
import type { Closing } from "../process/shutdown.ts";
import type { Tracing } from "./tracing.ts";

const notTraced: Tracing = { around: (listener) => listener, named: (logRequest) => logRequest };

/**
 * Starts tracing if it is set up (P6, docs/operations/tracing.md). Call it before the database is opened, whose pools
 * publish their statements only to who has subscribed by then. Without the setting nothing is loaded.
 */
export async function openTracing(parts: {
  config: Pick<Config, "tracing" | "trustProxy" | "environment">;
  logger: Pick<Logger, "info" | "warn">;
  closing: Closing[];
}): Promise<Tracing> {
  const { tracing } = parts.config;
  if (tracing === null) return notTraced;
  const { startTracing } = await import("./start-tracing.ts");
  return startTracing({ ...parts, tracing });
}
