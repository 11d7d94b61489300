import { EventRecorderBusyError, type EventRecorder } from "@farthing/core/telemetry/event-recorder.server.ts";
import { MAX_BATCH_BYTES, MAX_EVENT_BYTES } from "@farthing/core/telemetry/rules.ts";
import { parseEvent } from "@farthing/core/telemetry/schema.ts";
import { isSameSecret } from "@farthing/core/secrets/secret-token.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import { limitBody } from "../http/fast/limit-body.ts";
import { createAllowances } from "../pages/allowances.ts";
import { bearerOf } from "../partners/widget-sessions.ts";
import { parseBatch } from "./parse-batch.ts";
import { parseJson } from "./parse-json.ts";
import type { TelemetryBrands, TelemetryCaller } from "./telemetry-brands.ts";

export interface TelemetryRouteServices {
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

/**
 * The collector (T3). POST /api/Telemetry takes one event of a page, as JSON or as a beacon's text, and answers 204 once it is committed.
 * POST /api/Telemetry/batch takes NDJSON of servers that hold a key. No address of a visitor is stored or logged; it is only used to slow floods.
 */
export function telemetryRoutes(services: TelemetryRouteServices): Hono<AppEnv> {
  const allowances = createAllowances({ ...ALLOWANCE, ...(services.clock && { now: services.clock }) });
  /** Before anything is looked up: a flood of made-up origins costs no query. */
  const slowed = (context: Context<AppEnv>): Response | null => {
    const seconds = allowances.take(context.get("clientAddress"));
    return seconds > 0 ? problemResponse({ ...tooMany, headers: { "Retry-After": String(seconds) } }) : null;
  };
  return (
    new Hono<AppEnv>()
      .on("OPTIONS", "/api/Telemetry", (context) => slowed(context) ?? answerPreflight(context, services))
      .post("/api/Telemetry", async (context) => {
        const refused = slowed(context);
        if (refused) return refused;
        const caller = await services.brands.ofPage(context);
        const answer = caller.ok ? await collect(context, services, caller) : problemResponse(caller.problem);
        return withCors(answer, caller);
      })
      .all("/api/Telemetry", () => problemResponse(methodNotAllowed("POST, OPTIONS")))
      // A key is checked before anything else, which costs no query either.
      .post("/api/Telemetry/batch", (context) => collectBatch(context, services))
      .all("/api/Telemetry/batch", () => problemResponse(methodNotAllowed("POST")))
  );
}

async function answerPreflight(context: Context<AppEnv>, { brands }: TelemetryRouteServices): Promise<Response> {
  const caller = await brands.ofPage(context);
  if (!caller.ok) return problemResponse(caller.problem);
  const headers = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "content-type",
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  };
  return withCors(new Response(null, { status: 204, headers }), caller);
}

/**
 * Lets the page of a brand read the answer. Credentials are allowed because a browser always sends a beacon with them; the collector reads and sets no
 * cookie, so they mean nothing here.
 */
function withCors(answer: Response, caller: TelemetryCaller): Response {
  answer.headers.append("Vary", "Origin");
  if (!caller.ok || caller.origin === null) return answer;
  answer.headers.set("Access-Control-Allow-Origin", caller.origin);
  answer.headers.set("Access-Control-Allow-Credentials", "true");
  answer.headers.set("Access-Control-Expose-Headers", "Retry-After");
  return answer;
}

async function collect(
  context: Context<AppEnv>,
  services: TelemetryRouteServices,
  { brandId }: TelemetryCaller & { ok: true },
): Promise<Response> {
  if (!isTextOrJson(context.req.header("content-type"))) return problemResponse(wrongType);
  const bytes = await bodyOf(context, MAX_EVENT_BYTES);
  if (bytes === null) return problemResponse(tooLarge);
  const json = parseJson(bytes);
  if (!json.ok) return problemResponse(badJson);
  const parsed = parseEvent(json.value);
  if (!parsed.ok) {
    services.onEvents?.("refused", 1);
    return problemResponse({ ...badEvent, errors: parsed.errors });
  }
  const stored = await store(services, { brandId, events: [parsed.event] });
  if (!stored.ok) return problemResponse(busy);
  return stored.refused.length > 0 ? problemResponse(badEvent) : new Response(null, { status: 204, headers: noStore });
}

async function collectBatch(context: Context<AppEnv>, services: TelemetryRouteServices): Promise<Response> {
  const { brands, batchKeys } = services;
  // Only browsers send this header. A key in a page is public.
  if (context.req.header("sec-fetch-site") !== undefined) return problemResponse(inBrowser);
  const key = bearerOf(context.req.header("authorization"));
  // All are compared, so that the time says nothing of which one is near.
  const isKnown = key !== null && batchKeys.map((known) => isSameSecret(key, known)).includes(true);
  if (!isKnown) return problemResponse(unknownKey);
  if (!/^application\/(x-)?ndjson\s*(;|$)/i.test(context.req.header("content-type") ?? ""))
    return problemResponse(notNdjson);
  const brand = await brands.ofServer(context);
  if (!brand.ok) return problemResponse(brand.problem);
  const bytes = await bodyOf(context, MAX_BATCH_BYTES);
  if (bytes === null) return problemResponse(batchTooLarge);
  const batch = parseBatch(bytes);
  if (!batch.ok) return problemResponse(batchTooLarge);
  const { events, lines, refused } = batch;
  const stored = await store(services, { brandId: brand.brandId, events });
  if (!stored.ok) return problemResponse(busy);
  for (const position of stored.refused) refused.push({ line: lines[position]!, status: 422, errors: [] });
  services.onEvents?.("refused", refused.length);
  refused.sort((one, other) => one.line - other.line);
  return context.json({ stored: events.length - stored.refused.length, refused }, 200, noStore);
}

/** Returns the positions of events that the database refused, or that too many wait. */
async function store(
  { events: recorder, onEvents }: TelemetryRouteServices,
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

/** Returns the body, or null if it is larger. A body that ends early is the client's going: there is nobody to answer. */
async function bodyOf(context: Context<AppEnv>, maxBytes: number): Promise<Uint8Array | null> {
  const limited = await limitBody(context.req.raw, maxBytes);
  return limited === null ? null : new Uint8Array(await limited.arrayBuffer());
}

/** A beacon's text is JSON too: browsers send it as text/plain, which needs no preflight. */
function isTextOrJson(type: string | undefined): boolean {
  return /^(text\/plain|application\/json)\s*(;|$)/i.test(type ?? "");
}

const noStore = { "Cache-Control": "no-store" };

const tooMany: Problem = {
  status: 429,
  title: "Too many events",
  detail: "Your network sends more events than people cause. Wait for the number of seconds in Retry-After.",
};
const wrongType: Problem = {
  status: 415,
  title: "Not JSON",
  detail: "Send one event as JSON, with Content-Type application/json or text/plain.",
};
const tooLarge: Problem = {
  status: 413,
  title: "Too large",
  detail: `An event has at most ${MAX_EVENT_BYTES / 1024} kB.`,
};
const badJson: Problem = {
  status: 400,
  title: "Bad JSON",
  detail: "The body is not JSON. Send one event, encoded as UTF-8.",
};
const badEvent: Problem = {
  status: 422,
  title: "Not an event",
  detail: "Nothing was stored. Correct the fields below and send the event again.",
};
const busy: Problem = {
  status: 503,
  title: "Try again in a moment",
  detail: "Too many events are waiting. Nothing was stored: send the same again after the seconds in Retry-After.",
  headers: { "Retry-After": "1" },
};
const inBrowser: Problem = {
  status: 403,
  title: "Not from a browser",
  detail: "Batches come from servers. A key in a page is public: replace it.",
};
const unknownKey: Problem = {
  status: 401,
  title: "Unknown key",
  detail: "Send a key of TELEMETRY_BATCH_KEYS as Authorization: Bearer <key>.",
  headers: { "WWW-Authenticate": "Bearer" },
};
const notNdjson: Problem = {
  status: 415,
  title: "Not NDJSON",
  detail: "Send one event as JSON on each line, with Content-Type application/x-ndjson.",
};
const batchTooLarge: Problem = {
  status: 413,
  title: "Too large",
  detail: `A batch has at most ${MAX_BATCH_BYTES / 1024} kB and 5000 lines. Nothing was stored: send it in parts.`,
};
