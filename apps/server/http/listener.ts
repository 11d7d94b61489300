import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { tenthsSince, type Logger } from "../monitoring/logger.ts";
import type { Readiness } from "../monitoring/readiness.ts";
import type { Collector } from "../telemetry/collector.ts";
import { answerEvents } from "./fast/answer-events.ts";
import { writeCachedPage, type CachedPageParts } from "./fast/write-cached-page.ts";
import { plainPage } from "./plain-page.ts";
import { newRequestId } from "./request-id.ts";
import { isSentWith, securityHeaders } from "./security-headers.ts";
import { writeAnswer } from "./write-answer.ts";

const HEALTH_PATHS = new Set(["/healthz", "/readyz"]);

export interface ListenerParts extends CachedPageParts {
  app: Hono<AppEnv>;
  logger: Logger;
  /** /api/Telemetry; absent in a process without the role collector. */
  collector?: Collector | null;
  readiness: Readiness;
}

/**
 * The listener of the HTTP server: telemetry events (fast/answer-events.ts), pages from the cache
 * (fast/write-cached-page.ts), everything else from the app. It never throws and never rejects; a failure ends one connection.
 */
export function createListener(parts: ListenerParts): RequestListener {
  const { app, readiness, logger, collector } = parts;
  const answerEvent = collector ? answerEvents({ ...parts, collector }) : () => null;
  const throughApp = getRequestListener(
    async (request, env) => {
      await writeAnswer(await app.fetch(request, env), env.outgoing as ServerResponse, logger);
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      // Errors get here if the request did not reach the app, or the app's own error handler failed.
      errorHandler: (error) => (error instanceof RequestError ? refuseAddress(parts) : answerFailure(error, parts)),
    },
  );
  return contained((request, response) => {
    // HTTP/1.0 has no Host, and load balancers ask for the state of a process by it (HAProxy's httpchk).
    if (request.headers.host === undefined && HEALTH_PATHS.has(request.url ?? "")) request.headers.host = "localhost";
    // A proxy may read the other one than we do, and cache one brand's page for another (RFC 9112, section 3.2).
    if (hasTwoHosts(request) || namesAnotherHost(request)) return writeAnswer(refuseAddress(parts), response, logger);
    // During shutdown each answer is the last on its connection.
    if (!readiness.accepting) response.shouldKeepAlive = false;
    return (
      answerEvent(request, response) ??
      (writeCachedPage(request, response, parts) ? undefined : throughApp(request, response))
    );
  }, logger);
}

/**
 * Wraps a listener so that its errors end one connection: outside the app nothing else catches them, and the process
 * would end.
 */
export function contained(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  logger: Pick<Logger, "error">,
): RequestListener {
  return (request, response) => {
    const fail = (error: unknown) => {
      logger.error({ err: error }, "a request failed outside the app");
      if (response.headersSent || response.destroyed) return response.destroy();
      return response
        .writeHead(500, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" })
        .end("Something went wrong. The fault is on our side; try again in a moment.");
    };
    try {
      Promise.resolve(listener(request, response)).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** Returns whether the target is not a path and names another host than the Host header does (RFC 9112, section 3.2.2), or none. */
function namesAnotherHost({ url = "", headers }: IncomingMessage): boolean {
  if (url.startsWith("/")) return false;
  const host = URL.parse(url)?.host;
  return !host || host !== URL.parse(`http://${headers.host}`)?.host;
}

/** Answers a well-formed HTTP message that names no address: a target such as "//" or "/\\", an impossible host, or two hosts. */
function refuseAddress({ config, metrics, logRequest }: ListenerParts): Response {
  const started = performance.now();
  const page = plainPage({
    status: 400,
    title: "Bad request",
    text: "This is not an address that this server understands. Check what you typed.",
  });
  for (const [name, value] of Object.entries(securityHeaders(config)))
    if (isSentWith(name, page.headers.get("content-type"))) page.headers.set(name, value);
  const requestId = newRequestId();
  page.headers.set("X-Request-Id", requestId);
  metrics.request("other", 400, performance.now() - started);
  logRequest({ requestId, method: "-", route: "other", status: 400, ms: tenthsSince(started) });
  return page;
}

function answerFailure(error: unknown, { logger }: ListenerParts): Response {
  logger.error({ err: error }, "a request failed outside the app");
  return plainPage({
    status: 500,
    title: "Something went wrong",
    text: "The fault is on our side. Try again in a moment.",
  });
}
