import { SpanKind, type Span } from "@opentelemetry/api";
import { sentQueries, type SentQuery } from "@farthing/db/sent-queries.ts";
import { fail, type Spans } from "./open-spans.ts";
import { queryWords } from "./query-words.ts";

/** A span for each statement of a request or job. Returns what stops it. */
export function traceQueries({ beginPart, isRecording }: Spans): () => void {
  const open = new WeakMap<SentQuery, Span>();
  const subscribers = {
    start(query: SentQuery) {
      if (!isRecording()) return; // its words cost more than all else here
      const { summary, operation, table, text } = queryWords(query.text);
      const span = beginPart(summary, {
        kind: SpanKind.CLIENT,
        attributes: {
          "db.system.name": "postgresql",
          "db.operation.name": operation,
          "db.collection.name": table,
          "db.query.text": text,
        },
      });
      if (span) open.set(query, span);
    },
    error(query: SentQuery & { error: unknown }) {
      const span = open.get(query);
      if (span) fail(span, query.error);
    },
    // An error before this is one of sending; nothing follows it.
    end(query: SentQuery & { error?: unknown }) {
      if (query.error !== undefined) open.get(query)?.end();
    },
    asyncStart() {},
    asyncEnd: (query: SentQuery) => open.get(query)?.end(),
  };
  sentQueries.subscribe(subscribers);
  return () => {
    sentQueries.unsubscribe(subscribers);
  };
}
