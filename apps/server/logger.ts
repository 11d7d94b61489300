import { destination, pino, type Logger } from "pino";
import type { Config } from "./env.ts";

export type { Logger };

/** Where a secret could slip into a line by way of an object that is logged whole. */
const neverLogged = ["password", "token", "secret", "cookie", "authorization", "headers.cookie", "headers.authorization", "*.password", "*.token", "*.secret", "*.cookie", "*.authorization"];

export interface OpenedLogger {
  logger: Logger;
  /** Writes out what is still in the buffer; before the process ends. */
  close(): void;
}

/**
 * Structured logs: one JSON object per line on standard output (product.md P6). In development each line is written at once; elsewhere lines
 * are gathered for up to a second, so that logging costs a busy server little.
 */
export function openLogger({ logLevel, environment }: Pick<Config, "logLevel" | "environment">): OpenedLogger {
  const buffered = environment !== "dev";
  const stream = destination({ fd: 1, sync: !buffered, ...(buffered ? { minLength: 8192, periodicFlush: 1000 } : {}) });
  const logger = pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: neverLogged, censor: "[hidden]" },
    },
    stream,
  );
  return {
    logger,
    close() {
      try {
        stream.flushSync();
      } catch (error) {
        // Standard output is gone (a closed pipe): there is nobody left to tell.
        if (!["EPIPE", "EAGAIN"].includes((error as NodeJS.ErrnoException).code ?? "") && !String(error).includes("sonic boom")) throw error;
      }
    },
  };
}
