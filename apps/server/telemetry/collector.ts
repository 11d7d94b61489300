import { EventRecorderBusyError, type EventRecorder } from "@farthing/core/telemetry/event-recorder.server.ts";
import { MAX_BATCH_BYTES, MAX_EVENT_BYTES } from "@farthing/core/telemetry/rules.ts";
import { parseEvent } from "@farthing/core/telemetry/schema.ts";
import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";
import { problemAnswer, type WholeAnswer } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import type { Incoming } from "../http/request-origin.ts";
import { createAllowances } from "../pages/allowances.ts";
import { bearerOf } from "../partners/widget-sessions.ts";
import { collectorProblems } from "./collector-problems.ts";
import { parseBatch } from "./parse-batch.ts";
import { parseJson } from "./parse-json.ts";
import type { TelemetryBrands, TelemetryCaller } from "./telemetry-brands.ts";

export const EVENT_PATH = "/api/Telemetry";
export const BATCH_PATH = "/api/Telemetry/batch";

/** What the collector reads of a request, however it arrived. */
export interface CollectorRequest extends Incoming {
  method: string;
  path: typeof EVENT_PATH | typeof BATCH_PATH;
  /** The parameter `brand`. */
  brand: string | undefined;
  /** The visitor's address: never stored, only counted. */
  clientAddress: string;
  /** Returns the body, or null if it has more bytes. Rejects if the sender leaves before its end. */
  readBody(maxBytes: number): Promise<Uint8Array | null>;
}

export interface Collector {
  /** Rejects when events can't be stored for another reason than their number: never answer 204 then. */
  answer(request: CollectorRequest): Promise<WholeAnswer>;
}

export interface CollectorServices {
  brands: TelemetryBrands;
  events: EventRecorder;
  batchKeys: readonly string[];
  /** Counts events by what became of them. */
  onEvents?(outcome: "stored" | "refused" | "busy", events: number): void;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** Events of one address: a person opens a page a second at most, and a school or an office shares an address. */
const ALLOWANCE = { burst: 300, perSecond: 50 };

/** How long a browser may remember the answer to its preflight, in seconds. Chromium remembers it for two hours. */
const PREFLIGHT_SECONDS = 86_400;

const noStore = { "Cache-Control": "no-store" };

/**
 * The rules of the collector (T3). POST /api/Telemetry takes one event of a page, as JSON or as a beacon's text, and answers 204 once it is committed.
 * POST /api/Telemetry/batch takes NDJSON of servers that hold a key. No address of a visitor is stored or logged; it is only used to slow floods.
 */
export function createCollector(services: CollectorServices): Collector {
  const allowances = createAllowances({ ...ALLOWANCE, ...(services.clock && { now: services.clock }) });
  return {
    async answer(request) {
      const { method, path } = request;
      if (path === BATCH_PATH)
        // A key is checked before anything else, which costs no query either.
        return method === "POST" ? collectBatch(request, services) : problemAnswer(methodNotAllowed("POST"));
      if (method !== "POST" && method !== "OPTIONS") return problemAnswer(methodNotAllowed("POST, OPTIONS"));
      // Before anything is looked up: a flood of made-up origins costs no query.
      const seconds = allowances.take(request.clientAddress);
      if (seconds > 0)
        return problemAnswer({ ...collectorProblems.tooMany, headers: { "Retry-After": String(seconds) } });
      const caller = await services.brands.ofPage(request);
      if (!caller.ok) return withCors(problemAnswer(caller.problem), caller);
      return withCors(method === "OPTIONS" ? preflight : await collect(request, services, caller), caller);
    },
  };
}

const preflight: WholeAnswer = {
  status: 204,
  headers: {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "content-type",
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  },
  body: "",
};

/**
 * Lets the page of a brand read the answer. Credentials are allowed because a browser always sends a beacon with them; the collector reads and sets no
 * cookie, so they mean nothing here.
 */
function withCors({ headers, ...answer }: WholeAnswer, caller: TelemetryCaller): WholeAnswer {
  if (!caller.ok || caller.origin === null) return { ...answer, headers: { ...headers, Vary: "Origin" } };
  return {
    ...answer,
    headers: {
      ...headers,
      Vary: "Origin",
      "Access-Control-Allow-Origin": caller.origin,
      "Access-Control-Allow-Credentials": "true",
      "Access-Control-Expose-Headers": "Retry-After",
    },
  };
}

async function collect(
  request: CollectorRequest,
  services: CollectorServices,
  { brandId }: TelemetryCaller & { ok: true },
): Promise<WholeAnswer> {
  if (!isTextOrJson(request.header("content-type"))) return problemAnswer(collectorProblems.wrongType);
  const bytes = await request.readBody(MAX_EVENT_BYTES);
  if (bytes === null) return problemAnswer(collectorProblems.tooLarge);
  const json = parseJson(bytes);
  if (!json.ok) return problemAnswer(collectorProblems.badJson);
  const parsed = parseEvent(json.value);
  if (!parsed.ok) {
    services.onEvents?.("refused", 1);
    return problemAnswer({ ...collectorProblems.badEvent, errors: parsed.errors });
  }
  const stored = await store(services, { brandId, events: [parsed.event] });
  if (!stored.ok) return problemAnswer(collectorProblems.busy);
  return stored.refused.length > 0
    ? problemAnswer(collectorProblems.badEvent)
    : { status: 204, headers: noStore, body: "" };
}

async function collectBatch(request: CollectorRequest, services: CollectorServices): Promise<WholeAnswer> {
  const { brands, batchKeys } = services;
  // Only browsers send this header. A key in a page is public.
  if (request.header("sec-fetch-site") !== undefined) return problemAnswer(collectorProblems.inBrowser);
  const key = bearerOf(request.header("authorization"));
  // All are compared, so that the time says nothing of which one is near.
  const isKnown = key !== null && batchKeys.map((known) => isSameSecret(key, known)).includes(true);
  if (!isKnown) return problemAnswer(collectorProblems.unknownKey);
  if (!/^application\/(x-)?ndjson\s*(;|$)/i.test(request.header("content-type") ?? ""))
    return problemAnswer(collectorProblems.notNdjson);
  const brand = await brands.ofServer(request);
  if (!brand.ok) return problemAnswer(brand.problem);
  const bytes = await request.readBody(MAX_BATCH_BYTES);
  const batch = bytes === null ? null : await parseBatch(bytes);
  if (!batch?.ok) return problemAnswer(collectorProblems.batchTooLarge);
  const { events, lines, refused } = batch;
  const stored = await store(services, { brandId: brand.brandId, events });
  if (!stored.ok) return problemAnswer(collectorProblems.busy);
  for (const position of stored.refused) refused.push({ line: lines[position]!, status: 422, errors: [] });
  services.onEvents?.("refused", refused.length);
  refused.sort((one, other) => one.line - other.line);
  return {
    status: 200,
    headers: { "Content-Type": "application/json", ...noStore },
    body: JSON.stringify({ stored: events.length - stored.refused.length, refused }),
  };
}

/** Returns the positions of events that the database refused, or that too many wait. */
async function store(
  { events: recorder, onEvents }: CollectorServices,
  events: Parameters<EventRecorder["record"]>[0],
): Promise<{ ok: true; refused: number[] } | { ok: false }> {
  try {
    const refused = await recorder.record(events);
    onEvents?.("stored", events.events.length - refused.length);
    return { ok: true, refused };
  } catch (error) {
    if (!(error instanceof EventRecorderBusyError)) throw error;
    onEvents?.("busy", events.events.length);
    return { ok: false };
  }
}

/** A beacon's text is JSON too: browsers send it as text/plain, which needs no preflight. */
function isTextOrJson(type: string | undefined): boolean {
  return /^(text\/plain|application\/json)\s*(;|$)/i.test(type ?? "");
}
