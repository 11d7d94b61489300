import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../monitoring/logger.ts";
import type { Readiness } from "../monitoring/readiness.ts";

/** Something opened at start and closed at the end. */
export interface Closing {
  name: string;
  close(): Promise<unknown> | unknown;
  /** Holds connections open by itself (sockets of hot reload), so it is closed before the server waits for them. */
  holdsConnections?: true;
}

export interface ShutdownParts {
  server: Server;
  readiness: Readiness;
  logger: Logger;
  /** How long load balancers get to see /readyz turn 503 before connections are refused. */
  drainMs: number;
  /** What is closed after the last answer, last opened first. */
  closing: readonly Closing[];
  /** After this long the process ends whatever is still open. */
  limitMs?: number;
  exit(code: number): void;
}

/**
 * Ends the process in order (product.md P6): /readyz says 503, no new connections, requests in flight are answered and their connections
 * closed, then what they relied on is closed. Gives a function that takes the reason and the process's exit code; a second call
 * ends it at once.
 */
export function createShutdown({
  server,
  readiness,
  logger,
  drainMs,
  closing,
  limitMs = 10_000,
  exit,
}: ShutdownParts): (reason: string, code?: number) => Promise<void> {
  let called = 0;
  return async (reason, code = 0) => {
    called += 1;
    if (called > 1) {
      logger.warn({ reason }, "asked twice to stop: stopping at once");
      return exit(1);
    }
    logger.info({ reason }, "stopping");
    setTimeout(() => {
      logger.error("did not stop in time: stopping at once");
      exit(1);
    }, limitMs).unref();

    readiness.close();
    if (drainMs > 0) await delay(drainMs);
    const holding = closing.filter(({ holdsConnections }) => holdsConnections);
    await closeAll(holding, logger);
    await closeServer(server);
    await closeAll(
      closing.filter((part) => !holding.includes(part)),
      logger,
    );
    exit(code);
  };
}

/** Closes what was opened, last first: whatever relies on the database is closed before it. A failure keeps nothing else from being closed. */
export async function closeAll(closing: readonly Closing[], logger: Logger): Promise<void> {
  for (const { name, close } of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      logger.error({ err: error }, `could not close ${name}`);
    }
  }
}

/** No new connections; those in the middle of a request live until it is answered, idle ones don't. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 25);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
}
