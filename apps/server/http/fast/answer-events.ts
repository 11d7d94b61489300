import type { IncomingMessage, ServerResponse } from "node:http";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import type { Config } from "../../env.ts";
import { tenthsSince, type Logger, type LogRequest } from "../../monitoring/logger.ts";
import type { Metrics } from "../../monitoring/metrics.ts";
import { BATCH_PATH, EVENT_PATH, type Collector, type CollectorRequest } from "../../telemetry/collector.ts";
import { unexpectedFailure } from "../answer-failures.ts";
import { problemAnswer, type WholeAnswer } from "../problem.ts";
import { problems } from "../problems.ts";
import { requestIdOf } from "../request-id.ts";
import { clientAddress } from "../request-origin.ts";
import { routePattern } from "../route-pattern.ts";
import { LOCKED_DOWN_POLICY, securityHeaders, type HstsSettings } from "../security-headers.ts";
import { discardRest, readBody, SenderLeftError } from "./read-body.ts";

export interface EventParts {
  collector: Collector;
  config: HstsSettings & Pick<Config, "trustProxy">;
  metrics: Pick<Metrics, "request">;
  logRequest: LogRequest;
  logger: Pick<Logger, "warn" | "error" | "debug">;
}

/** Answers a request; null: it is not for the collector, or needs the app. */
export type AnswerEvent = (request: IncomingMessage, response: ServerResponse) => Promise<void> | null;

const route = routePattern(EVENT_PATH);

/**
 * Returns how telemetry is answered straight from the socket, with the headers that the app would have sent. Ours for speed: with a Request, a Response
 * and route matching, single events were slower than one insert per request (bench/telemetry).
 */
export function answerEvents({ collector, config, metrics, logRequest, logger }: EventParts): AnswerEvent {
  const always = { ...securityHeaders(config), "Content-Security-Policy": LOCKED_DOWN_POLICY };

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    target: Pick<CollectorRequest, "path" | "brand">,
  ): Promise<void> {
    const started = performance.now();
    const { method = "", headers } = request;
    const incoming = {
      header: (name: string) => headers[name] as string | undefined,
      peer: request.socket.remoteAddress,
    };
    const requestId = requestIdOf(incoming, config.trustProxy);
    const found = await collector
      .answer({
        ...incoming,
        ...target,
        method,
        clientAddress: clientAddress(incoming, config.trustProxy),
        readBody: (maxBytes) => readBody(request, maxBytes),
      })
      .catch((error: unknown) => onFailure(error, { requestId, hasLeft: response.destroyed }));
    const status = response.destroyed ? 499 : found.status;
    metrics.request(route, status, performance.now() - started);
    logRequest({ requestId, method, route, status, ms: tenthsSince(started) });
    await write(request, response, { ...found, headers: { ...found.headers, ...always, "X-Request-Id": requestId } });
  }

  function onFailure(error: unknown, { requestId, hasLeft }: { requestId: string; hasLeft: boolean }): WholeAnswer {
    if (error instanceof DatabaseUnavailableError) {
      logger.warn({ requestId, route, err: error }, "the database does not answer");
      return problemAnswer(problems.databaseUnavailable);
    }
    const level = hasLeft || error instanceof SenderLeftError ? "debug" : "error";
    logger[level]({ requestId, route, err: error }, "request failed");
    return problemAnswer(unexpectedFailure(requestId));
  }

  return (request, response) => {
    const target = readTarget(request.url ?? "");
    return target && answer(request, response, target);
  };
}

/** Other forms of the same addresses, such as absolute ones, are the app's. */
function readTarget(url: string): Pick<CollectorRequest, "path" | "brand"> | null {
  if (!url.startsWith(EVENT_PATH)) return null;
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  if (path !== EVENT_PATH && path !== BATCH_PATH) return null;
  return { path, brand: end === -1 ? undefined : (new URLSearchParams(url.slice(end)).get("brand") ?? undefined) };
}

async function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: WholeAnswer,
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(status, status === 204 ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) });
  if (request.complete) return void response.end(body);
  // The sender is told at once, also if it never stops sending.
  if (body === "") response.flushHeaders();
  else response.write(body);
  const isWhole = await discardRest(request);
  response.end();
  if (!isWhole) request.socket.destroy();
}
