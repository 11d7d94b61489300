import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { wholeBody } from "@farthing/site/server/whole-response.ts";
import type { Hono } from "hono";
import type { AppEnv } from "./app-env.ts";
import type { Config } from "./env.ts";
import { tenthsSince, type LogRequest } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { mayUseCache, type PageCache } from "./pages/page-cache.ts";
import { chooseEncoding, isUnchanged, withRequestId } from "./pages/stored-page.ts";
import type { Readiness } from "./readiness.ts";
import { requestIdOf } from "./request-id.ts";
import { clientAddress, requestOrigin, type Incoming } from "./request-origin.ts";

export interface ListenerParts {
  app: Hono<AppEnv>;
  /** Null where this process serves no pages. */
  cache: PageCache | null;
  config: Pick<Config, "publicScheme" | "trustProxy">;
  sessionCookieName: string;
  metrics: Metrics;
  logRequest: LogRequest;
  readiness: Readiness;
}

/**
 * The listener of the HTTP server. Pages that the cache holds are written straight to the socket: no Request, no Response, no route
 * matching, only what the same request would have got from the app (pages/site-pages.ts), some forty times as fast. Everything else is the app's.
 */
export function createListener(parts: ListenerParts): RequestListener {
  const { app, readiness } = parts;
  // Errors the app lets through are bugs of the app itself; it answers its own.
  const throughApp = getRequestListener(
    async (request, env) => writeWhole(await app.fetch(request, env), env.outgoing as ServerResponse),
    {
      overrideGlobalObjects: false,
    },
  );
  return (request, response) => {
    // While shutting down, each answer is the last on its connection.
    if (!readiness.accepting) response.shouldKeepAlive = false;
    if (writeCached(request, response, parts)) return;
    void throughApp(request, response);
  };
}

/** Writes an answer whose body is there as a whole straight to the socket, with its length; every other is given back. */
function writeWhole(answer: Response, outgoing: ServerResponse): Response {
  const body = wholeBody(answer);
  if (body === null) return answer;
  const headers = [...answer.headers].flat();
  if (!answer.headers.has("content-length")) headers.push("content-length", String(Buffer.byteLength(body)));
  outgoing.writeHead(answer.status, headers);
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
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
