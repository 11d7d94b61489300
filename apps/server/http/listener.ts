import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { wholeBody } from "@farthing/site/server/whole-response.ts";
import type { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Config } from "../env.ts";
import { tenthsSince, type Logger, type LogRequest } from "../monitoring/logger.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import { mayUseCache, type PageCache } from "../pages/page-cache.ts";
import { chooseEncoding, isUnchanged, withRequestId } from "../pages/stored-page.ts";
import { plainPage } from "./plain-page.ts";
import type { Readiness } from "../monitoring/readiness.ts";
import { isReadableAddress } from "./readable-input.ts";
import { newRequestId, requestIdOf } from "./request-id.ts";
import { clientAddress, requestOrigin, type Incoming } from "./request-origin.ts";
import { isSentWith, securityHeaders } from "./security-headers.ts";

export interface ListenerParts {
  app: Hono<AppEnv>;
  /** Null where this process serves no pages. */
  cache: PageCache | null;
  config: Pick<Config, "publicScheme" | "trustProxy">;
  sessionCookieName: string;
  metrics: Metrics;
  logger: Logger;
  logRequest: LogRequest;
  readiness: Readiness;
}

/**
 * The listener of the HTTP server. It never throws and returns no promise that rejects: what fails here ends one connection. Pages that the cache holds are written straight to the socket: no Request, no Response, no route
 * matching, only what the same request would have got from the app (pages/site-pages.ts), some forty times as fast. Everything else is the app's.
 */
export function createListener(parts: ListenerParts): RequestListener {
  const { app, readiness, logger } = parts;
  const throughApp = getRequestListener(
    async (request, env) => {
      await write(await app.fetch(request, env), env.outgoing as ServerResponse, logger);
      return RESPONSE_ALREADY_SENT;
    },
    {
      overrideGlobalObjects: false,
      // What comes here has not reached the app, or the app's own answer to errors failed.
      errorHandler: (error) => (error instanceof RequestError ? refused(parts) : failed(error, parts)),
    },
  );
  return contained((request, response) => {
    // While shutting down, each answer is the last on its connection.
    if (!readiness.accepting) response.shouldKeepAlive = false;
    if (writeCached(request, response, parts)) return undefined;
    return throughApp(request, response);
  }, logger);
}

/** The listener with its faults kept to the connection they happen on: outside the app nothing else would catch them, and the process would end. */
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
        .end(wentWrong);
    };
    try {
      Promise.resolve(listener(request, response)).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

const wentWrong = "Something went wrong. It is on our side; try again in a moment.";

/** What is a message of HTTP, but names no address: a target such as "//" or "/\\", or an impossible host. */
function refused({ config, metrics, logRequest }: ListenerParts): Response {
  const started = performance.now();
  const page = plainPage({
    status: 400,
    title: "Bad request",
    text: "This is not an address that this server understands. Check what you typed.",
  });
  for (const [name, value] of Object.entries(securityHeaders(config.publicScheme)))
    if (isSentWith(name, page.headers.get("content-type"))) page.headers.set(name, value);
  const requestId = newRequestId();
  page.headers.set("X-Request-Id", requestId);
  metrics.request("other", 400, performance.now() - started);
  logRequest({ requestId, method: "-", route: "other", status: 400, ms: tenthsSince(started) });
  return page;
}

function failed(error: unknown, { logger }: ListenerParts): Response {
  logger.error({ err: error }, "a request failed outside the app");
  return plainPage({ status: 500, title: "Something went wrong", text: "It is on our side. Try again in a moment." });
}

/**
 * Writes the app's answer. A body that is there as a whole goes straight to the socket, with its length; a stream is sent as fast as it is
 * taken. A stream that fails at its start rejects, so that the caller can still answer; later it can only be broken off, which tells the
 * other side that something is missing.
 */
async function write(answer: Response, outgoing: ServerResponse, logger: Logger): Promise<void> {
  const headers = [...answer.headers].flat();
  const addLength = (bytes: number) => {
    if (!answer.headers.has("content-length")) headers.push("content-length", String(bytes));
  };
  const whole = wholeBody(answer);
  const body = whole === null ? answer.body : null;
  if (body === null) {
    if (whole !== null) addLength(Buffer.byteLength(whole));
    // An answer to HEAD would say that the page itself is empty.
    else if (![204, 304].includes(answer.status) && outgoing.req.method !== "HEAD") addLength(0);
    outgoing.writeHead(answer.status, headers);
    outgoing.end(whole ?? undefined);
    return;
  }
  const reader = body.getReader();
  const first = await reader.read();
  const second = first.done ? first : await reader.read();
  const start = first.done ? new Uint8Array() : first.value;
  if (second.done) {
    addLength(start.byteLength);
    outgoing.writeHead(answer.status, headers);
    outgoing.end(start);
    return;
  }
  outgoing.writeHead(answer.status, headers);
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      yield start;
      for (let next = second; !next.done; next = await reader.read()) yield next.value;
    } finally {
      // Also where the visitor has left: whoever makes the stream stops.
      reader.cancel().catch(() => {});
    }
  }
  try {
    await pipeline(parts(), outgoing);
  } catch (error) {
    const hasLeft = (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
    logger[hasLeft ? "debug" : "error"]({ err: error }, "an answer broke off");
  }
}

function writeCached(
  request: IncomingMessage,
  response: ServerResponse,
  { cache, config, sessionCookieName, metrics, logRequest }: ListenerParts,
): boolean {
  const { method, url, headers } = request;
  if (cache === null || method === undefined || url === undefined || method === "POST") return false;
  if (
    !mayUseCache({
      method,
      path: url,
      cookie: headers.cookie,
      authorization: headers.authorization,
      sessionCookie: sessionCookieName,
    })
  )
    return false;
  const started = performance.now();
  const incoming: Incoming = {
    header: (name) => headers[name] as string | undefined,
    peer: request.socket.remoteAddress,
  };
  const origin = requestOrigin(incoming, config);
  if (origin === null) return false;
  // The cache drops what a page does not read; an address that is no text is refused by the app instead.
  if (url.includes("%") && !isReadableAddress(origin + url)) return false;
  const asker = () => clientAddress(incoming, config.trustProxy);
  const page = cache.peek(origin, url, asker);
  if (page === undefined) return false;

  const requestId = requestIdOf(incoming, config.trustProxy);
  let status = 200;
  if (isUnchanged(headers["if-none-match"], page.etag)) {
    status = 304;
    response.writeHead(304, withRequestId(page.unchangedHeaders, requestId));
    response.end();
  } else {
    const variant = page.variants[chooseEncoding(headers["accept-encoding"] as string | undefined)];
    response.writeHead(200, withRequestId(variant.headers, requestId));
    response.end(method === "HEAD" ? undefined : variant.body);
  }
  metrics.pageCache("hit");
  metrics.request(page.route, status, performance.now() - started);
  logRequest({ requestId, method, route: page.route, status, ms: tenthsSince(started), cached: true });
  return true;
}
