import { format } from "node:util";
import { pino, type DestinationStream, type Logger } from "pino";
import type { Config } from "../env.ts";
import { describeError, withoutValues } from "./describe-error.ts";
import { openLogOutput } from "./log-output.ts";

export type { Logger };

/** Paths by which a secret could get into a line with an object that is logged whole. */
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

/**
 * One line per request, free of personal data: the pattern of the path instead of the address, ids instead of names.
 */
export interface RequestLine {
  requestId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  brand?: string | undefined;
  member?: string | undefined;
  /** Of an operator in the admin. */
  operator?: string | undefined;
  cached?: true;
  /** The id of its trace, where it is traced. */
  trace?: string;
}

export type LogRequest = (line: RequestLine) => void;

export interface OpenedLogger {
  logger: Logger;
  logRequest: LogRequest;
  /** Flushes the buffer before the process ends. */
  close(): void;
}

/**
 * Opens the structured log: one JSON object per line on standard output (P6). In development each line is written at
 * once; elsewhere lines are buffered for up to a second, which makes logging cheap on a busy server.
 */
export function openLogger({ logLevel, environment }: Pick<Config, "logLevel" | "environment">): OpenedLogger {
  const stream = openLogOutput({ gather: environment === "dev" ? 0 : 8192 });
  return { ...openLoggerTo(stream, logLevel), close: () => stream.flushSync() };
}

/** Opens the log with another destination. */
export function openLoggerTo(
  stream: DestinationStream,
  level: Config["logLevel"],
): Pick<OpenedLogger, "logger" | "logRequest"> {
  const shape = { level, base: null, timestamp, formatters: { level: (label: string) => ({ level: label }) } };
  return {
    logger: pino(
      {
        ...shape,
        serializers: { err: describeError, problem: said, why: said },
        redact: { paths: neverLogged, censor: "[hidden]" },
      },
      stream,
    ),
    // Without redaction, which costs more than the line itself: a RequestLine has no field for a secret.
    logRequest: requestLogger(pino(shape, stream)),
  };
}

const said = (value: unknown) => (typeof value === "string" ? withoutValues(value) : value);

let stampedAt = 0;
let stamp = "";

/** Returns the time in ISO 8601, formatted once per millisecond, in which a busy server logs dozens of lines. */
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

/** Returns the milliseconds since `started` (performance.now()), rounded to a tenth. */
export function tenthsSince(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error", trace: "debug" } as const;

/**
 * Redirects console.* and Node's warnings (deprecations, listener leaks) to the log, so that everything the process
 * prints is one JSON record per line. Libraries with a hook for logging use that instead. Returns the function that
 * restores the console.
 */
export function takeOverConsole(logger: Logger): () => void {
  const original = { ...console };
  for (const [method, level] of Object.entries(levels) as [
    keyof typeof levels,
    (typeof levels)[keyof typeof levels],
  ][]) {
    console[method] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      logger[level](
        { source: "console", ...(error ? { err: error } : {}) },
        withoutValues(error ? error.message : format(...parts)),
      );
    };
  }
  const printing = process.listeners("warning");
  process.removeAllListeners("warning");
  const onWarning = (warning: Error) => logger.warn({ source: "node", err: warning }, withoutValues(warning.message));
  process.on("warning", onWarning);
  return () => {
    Object.assign(console, original);
    process.off("warning", onWarning);
    for (const listener of printing) process.on("warning", listener);
  };
}
