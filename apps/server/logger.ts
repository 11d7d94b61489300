import { destination, pino, type Logger } from "pino";
import type { Config } from "./env.ts";

export type { Logger };

/** Where a secret could slip into a line by way of an object that is logged whole. */
const neverLogged = [
  "password",
  "token",
  "secret",
  "cookie",
  "authorization",
  "headers.cookie",
  "headers.authorization",
  "*.password",
  "*.token",
  "*.secret",
  "*.cookie",
  "*.authorization",
  "bearer",
  "apiKey",
  "*.bearer",
  "*.apiKey",
];

/** One line per request. All of it is harmless by itself: the pattern instead of the address, ids instead of names. */
export interface RequestLine {
  requestId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  brand?: string | undefined;
  member?: string | undefined;
  cached?: true;
}

export type LogRequest = (line: RequestLine) => void;

export interface OpenedLogger {
  logger: Logger;
  logRequest: LogRequest;
  /** Writes out what is still in the buffer; before the process ends. */
  close(): void;
}

/** Lines that wait while standard output takes none; what comes after is dropped. */
const mostWaitingBytes = 16 * 1024 * 1024;

/**
 * Structured logs: one JSON object per line on standard output (product.md P6). In development each line is written at once; elsewhere lines
 * are gathered for up to a second, so that logging costs a busy server little.
 */
export function openLogger({ logLevel, environment }: Pick<Config, "logLevel" | "environment">): OpenedLogger {
  const buffered = environment !== "dev";
  const stream = destination({
    fd: 1,
    sync: !buffered,
    maxLength: mostWaitingBytes,
    ...(buffered ? { minLength: 8192, periodicFlush: 1000 } : {}),
  });
  // Standard output that can't be written (a full disk, a closed pipe) costs lines, never the process: the next line is tried again.
  stream.on("error", () => {});
  const shape = {
    level: logLevel,
    base: null,
    timestamp,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino({ ...shape, redact: { paths: neverLogged, censor: "[hidden]" } }, stream);
  return {
    logger,
    // Looking for secrets costs more than the line itself, and a RequestLine has no place for one.
    logRequest: requestLogger(pino(shape, stream)),
    close() {
      try {
        stream.flushSync();
      } catch {
        // Standard output is gone or full: there is nobody left to tell.
      }
    },
  };
}

let stampedAt = 0;
let stamp = "";

/** The time as ISO 8601; written once per millisecond, in which a busy server logs dozens of lines. */
function timestamp(): string {
  const now = Date.now();
  if (now !== stampedAt) {
    stampedAt = now;
    stamp = `,"time":"${new Date(now).toISOString()}"`;
  }
  return stamp;
}

export function requestLogger(logger: Logger): LogRequest {
  if (!logger.isLevelEnabled("info")) return () => {};
  return (line) => logger.info(line, "request");
}

/** Milliseconds since `started` (performance.now()), to a tenth. */
export function tenthsSince(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
