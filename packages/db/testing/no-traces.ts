import { afterAll, expect } from "vitest";

/** Ends of the process that a test file may listen to, and must stop listening to. */
const ENDINGS = ["uncaughtException", "unhandledRejection", "warning", "SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Globals that test doubles and libraries replace. */
const GLOBALS = [
  "Date",
  "Request",
  "Response",
  "Headers",
  "fetch",
  "setTimeout",
  "setInterval",
  "queueMicrotask",
] as const;

function traces() {
  // libvips sets VIPSHOME when it is loaded.
  const { VIPSHOME: _, ...environment } = process.env;
  return {
    folder: process.cwd(),
    environment,
    globals: Object.fromEntries(GLOBALS.map((name) => [name, globalThis[name]])),
    functions: { now: Date.now, random: Math.random, monotonic: performance.now },
    listeners: Object.fromEntries(ENDINGS.map((name) => [name, process.listenerCount(name)])),
  };
}

/**
 * Test files run one after the other in the same process, so that what they import is loaded once. A file that leaves something of the process changed
 * fails here, and not the file that happens to run next.
 */
const before = traces();
afterAll(() => {
  expect(traces(), "what this test file leaves behind in the process").toEqual(before);
});
