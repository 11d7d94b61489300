import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { ClientRequest, IncomingMessage } from "node:http";
import { SpanKind, SpanStatusCode, type Span } from "@opentelemetry/api";
import { fail, type Spans } from "./open-spans.ts";

/** The part of a request of `fetch` that Node's channels give away. */
interface FetchRequest {
  origin: string;
  method: string;
  addHeader(name: string, value: string): void;
}

/**
 * A span for each HTTP request that a request or job makes: to providers, partners and ClickHouse, by `fetch` or by
 * Node's client, heard on Node's own channels. The span has method, host and status, never a path, which may hold a
 * secret. The request carries `traceparent`. `collector` is the host that takes the spans: sending them is no part.
 * Returns what stops it.
 */
export function traceOutgoing({ beginPart }: Spans, collector: string): () => void {
  const open = new WeakMap<object, Span>();

  function begin(request: object, method: string, host: string): string | null {
    if (host === collector) return null;
    const span = beginPart(`${method} ${host}`, {
      kind: SpanKind.CLIENT,
      attributes: { "http.request.method": method, "server.address": host },
    });
    if (!span) return null;
    open.set(request, span);
    const { traceId, spanId } = span.spanContext();
    return `00-${traceId}-${spanId}-01`;
  }

  function answered(request: object, status: number): void {
    const span = open.get(request)?.setAttribute("http.response.status_code", status);
    if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
  }

  function failed(request: object, error: unknown): void {
    const span = open.get(request);
    if (span) fail(span, error);
    span?.end();
  }

  const listeners: Record<string, (message: unknown) => void> = {
    "http.client.request.created"(message) {
      const request = partOf(message, "request");
      if (!(request instanceof ClientRequest)) return;
      const traceparent = begin(request, request.method, hostOf(request));
      if (traceparent !== null && !request.headersSent) request.setHeader("traceparent", traceparent);
    },
    "http.client.response.finish"(message) {
      const [request, response] = [partOf(message, "request"), partOf(message, "response")];
      if (!request || !(response instanceof IncomingMessage)) return;
      answered(request, response.statusCode ?? 0);
      open.get(request)?.end();
    },
    "http.client.request.error"(message) {
      const request = partOf(message, "request");
      if (request) failed(request, errorOf(message));
    },
    "undici:request:create"(message) {
      const request = partOf(message, "request");
      if (!request || !isFetchRequest(request)) return;
      const traceparent = begin(request, request.method, new URL(request.origin).host);
      if (traceparent !== null) request.addHeader("traceparent", traceparent);
    },
    "undici:request:headers"(message) {
      const [request, response] = [partOf(message, "request"), partOf(message, "response")];
      if (request && response && "statusCode" in response) answered(request, Number(response.statusCode));
    },
    "undici:request:trailers"(message) {
      const request = partOf(message, "request");
      if (request) open.get(request)?.end();
    },
    "undici:request:error"(message) {
      const request = partOf(message, "request");
      if (request) failed(request, errorOf(message));
    },
  };
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener);
  };
}

function partOf(message: unknown, name: "request" | "response"): object | null {
  if (typeof message !== "object" || message === null) return null;
  const part: unknown = Reflect.get(message, name);
  return typeof part === "object" && part !== null ? part : null;
}

function errorOf(message: unknown): unknown {
  return typeof message === "object" && message !== null ? Reflect.get(message, "error") : undefined;
}

function isFetchRequest(request: object): request is FetchRequest {
  return (
    "origin" in request &&
    typeof request.origin === "string" &&
    "method" in request &&
    typeof request.method === "string" &&
    "addHeader" in request &&
    typeof request.addHeader === "function"
  );
}

/** Host and port as an address states them: the port is left out where it is the scheme's own. */
function hostOf(request: ClientRequest): string {
  const stated = request.getHeader("host");
  return typeof stated === "string" ? stated : request.host;
}
