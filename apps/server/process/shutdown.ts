import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../monitoring/logger.ts";
import type { Readiness } from "../monitoring/readiness.ts";

/** Something opened at start and closed at the end. */
export interface Closing {
  name: string;
  close(): Promise<unknown> | unknown;
  /** Holds connections open by itself (the sockets of hot reload), so it is closed before the server waits for them. */
  holdsConnections?: true;
}

export interface ShutdownParts {
  server: Server;
  readiness: Readiness;
  logger: Logger;
  /** Time for load balancers to see /readyz answer 503 before connections are refused. */
  drainMs: number;
  /** Closed after the last answer, in reverse order. */
  closing: readonly Closing[];
  /** The process ends when this time has passed after the drain, whatever is still open. */
  limitMs?: number;
  exit(code: number): void;
}

/**
 * Ends the process in order (P6): /readyz answers 503, new connections are refused, requests in flight are answered
 * and their connections closed, then what they relied on is closed. Returns a function that takes the reason and the
 * exit code; a second call ends the process at once.
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
    }, drainMs + limitMs).unref();

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

/**
 * Closes parts in reverse order, so that what relies on the database is closed before it. If one fails, the others are
 * closed all the same.
 */
export async function closeAll(closing: readonly Closing[], logger: Logger): Promise<void> {
  for (const { name, close } of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      logger.error({ err: error }, `could not close ${name}`);
    }
  }
}

/** Refuses new connections and closes idle ones; a connection with a request in flight closes after its answer. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 25);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
}
