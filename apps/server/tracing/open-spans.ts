import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
} from "@opentelemetry/api";
import type { RequestLine } from "../monitoring/logger.ts";

/** The request or round of a job in hand. */
export interface Root {
  span: Span;
  /** The context in which its parts are children of its span. */
  context: Context;
  /** What the log says of the request; undefined before, and for jobs. */
  line?: RequestLine;
}

export interface Spans {
  /** Follows the request or round through everything that it waits for. */
  roots: AsyncLocalStorage<Root>;
  /** Begins a request or round. `parent` is the caller's span, by default none. */
  begin(name: string, options: SpanOptions, parent?: Context): Root;
  /** Whether what is done now is part of a request or round that is sampled. */
  isRecording(): boolean;
  /**
   * Begins a part of the request or round in hand. Null where there is none, where it is not sampled, and after its end:
   * what runs on then is nobody's part.
   */
  beginPart(name: string, options: SpanOptions): Span | null;
}

export function openSpans(tracer: Tracer): Spans {
  const roots = new AsyncLocalStorage<Root>();
  return {
    roots,
    begin(name, options, parent = ROOT_CONTEXT) {
      const span = tracer.startSpan(name, options, parent);
      return { span, context: trace.setSpan(ROOT_CONTEXT, span) };
    },
    isRecording: () => roots.getStore()?.span.isRecording() ?? false,
    beginPart(name, options) {
      const root = roots.getStore();
      return root?.span.isRecording() ? tracer.startSpan(name, options, root.context) : null;
    },
  };
}

/** Marks a span as failed. Its attribute is the error's code or class, because messages repeat values. */
export function fail(span: Span, error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const type = typeof code === "string" ? code : error instanceof Error ? error.name : "unknown";
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
}
