import { format } from "node:util";
import { pino, type Logger } from "pino";
import type { Config } from "../env.ts";
import { openLogOutput } from "./log-output.ts";

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

/**
 * Structured logs: one JSON object per line on standard output (product.md P6). In development each line is written at once; elsewhere lines
 * are gathered for up to a second, so that logging costs a busy server little.
 */
export function openLogger({ logLevel, environment }: Pick<Config, "logLevel" | "environment">): OpenedLogger {
  const stream = openLogOutput({ gather: environment === "dev" ? 0 : 8192 });
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
    close: () => stream.flushSync(),
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

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error", trace: "debug" } as const;

/**
 * Sends what libraries and Node itself print past the log into it, so that all that the process prints is one JSON record per line: console.*, and
 * warnings of Node's (deprecations, a leak of listeners). Libraries that offer a hook of their own are given that; this is for the rest. Returns what
 * gives the console back.
 */
export function takeOverConsole(logger: Logger): () => void {
  const original = { ...console };
  for (const [method, level] of Object.entries(levels) as [
    keyof typeof levels,
    (typeof levels)[keyof typeof levels],
  ][]) {
    console[method] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      logger[level]({ source: "console", ...(error ? { err: error } : {}) }, error ? error.message : format(...parts));
    };
  }
  const printing = process.listeners("warning");
  process.removeAllListeners("warning");
  const onWarning = (warning: Error) => logger.warn({ source: "node", err: warning }, warning.message);
  process.on("warning", onWarning);
  return () => {
    Object.assign(console, original);
    process.off("warning", onWarning);
    for (const listener of printing) process.on("warning", listener);
  };
}
