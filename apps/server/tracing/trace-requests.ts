import type { IncomingMessage } from "node:http";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import type { Config } from "../env.ts";
import { isFromProxy } from "../http/request-origin.ts";
import type { Root, Spans } from "./open-spans.ts";
import type { Tracing } from "./tracing.ts";

/** A span for each request, from its arrival until the answer is sent, named by the pattern of its path. */
export function traceRequests({ begin, roots }: Spans, { trustProxy }: Pick<Config, "trustProxy">): Tracing {
  /** The caller's span, if a trusted proxy passes one on (W3C Trace Context). */
  function callerOf({ headers, socket }: IncomingMessage): Context {
    const { traceparent } = headers;
    const incoming = { header: () => undefined, peer: socket.remoteAddress };
    const stated = typeof traceparent === "string" && isFromProxy(incoming, trustProxy);
    const parent = stated ? parseTraceParent(traceparent) : null;
    return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
  }

  return {
    around: (listener) => (request, response) => {
      const method = request.method ?? "-";
      const root = begin(method, { kind: SpanKind.SERVER }, callerOf(request));
      response.once("close", () => end(root, { method, status: response.statusCode }));
      roots.run(root, () => listener(request, response));
    },

    named: (logRequest) => (line) => {
      const root = roots.getStore();
      if (!root?.span.isRecording()) return logRequest(line);
      root.line = line;
      return logRequest({ ...line, trace: root.span.spanContext().traceId });
    },
  };
}

function end({ span, line }: Root, answer: { method: string; status: number }): void {
  const { method, status } = line ? { ...answer, status: line.status } : answer;
  span.setAttributes({
    "http.request.method": method,
    "http.response.status_code": status,
    "http.route": line?.route,
    "farthing.brand": line?.brand,
    "farthing.request_id": line?.requestId,
    "farthing.cached": line?.cached,
  });
  if (line) span.updateName(`${method} ${line.route}`);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
