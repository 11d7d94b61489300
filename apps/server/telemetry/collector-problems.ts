import { MAX_BATCH_BYTES, MAX_BATCH_LINES, MAX_EVENT_BYTES } from "@farthing/core/telemetry/rules.ts";
import type { Problem } from "../http/problem.ts";

/** What the collector refuses (T3), with what the sender can do. */
export const collectorProblems = {
  tooMany: {
    status: 429,
    title: "Too many events",
    detail: "Your network sends more events than people cause. Wait for the number of seconds in Retry-After.",
  },
  wrongType: {
    status: 415,
    title: "Not JSON",
    detail: "Send one event as JSON, with Content-Type application/json or text/plain.",
  },
  tooLarge: {
    status: 413,
    title: "Too large",
    detail: `An event has at most ${MAX_EVENT_BYTES / 1024} kB.`,
  },
  badJson: {
    status: 400,
    title: "Bad JSON",
    detail: "The body is not JSON. Send one event, encoded as UTF-8.",
  },
  badEvent: {
    status: 422,
    title: "Not an event",
    detail: "Nothing was stored. Correct the fields below and send the event again.",
  },
  busy: {
    status: 503,
    title: "Try again in a moment",
    detail: "Too many events are waiting. Nothing was stored: send the same again after the seconds in Retry-After.",
    headers: { "Retry-After": "1" },
  },
  inBrowser: {
    status: 403,
    title: "Not from a browser",
    detail: "Batches come from servers. A key in a page is public: replace it.",
  },
  unknownKey: {
    status: 401,
    title: "Unknown key",
    detail: "Send a key of TELEMETRY_BATCH_KEYS as Authorization: Bearer <key>.",
    headers: { "WWW-Authenticate": "Bearer" },
  },
  notNdjson: {
    status: 415,
    title: "Not NDJSON",
    detail: "Send one event as JSON on each line, with Content-Type application/x-ndjson.",
  },
  batchTooLarge: {
    status: 413,
    title: "Too large",
    detail: `A batch has at most ${MAX_BATCH_BYTES / 1024} kB and ${MAX_BATCH_LINES} lines. Nothing was stored: send it in parts.`,
  },
} satisfies Record<string, Problem>;
