import { tracingChannel } from "node:diagnostics_channel";
import type pg from "pg";

/** A statement on its way to the database: its text with `$1` where a value is, never the values. */
export interface SentQuery {
  text: string;
}

/** Each statement of a pool, for whoever had subscribed when the pool was opened. */
export const sentQueries = tracingChannel<unknown, SentQuery>("farthing:query");

type Query = (...parts: unknown[]) => Promise<unknown>;

/** Publishes what the pool's connections send. Cursors, which send many times, are left out. */
export function publishQueries(pool: pg.Pool): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Query;
    client.query = ((...parts: unknown[]) => {
      const text = textOf(parts[0]);
      if (text === null) return query(...parts);
      if (typeof parts.at(-1) === "function")
        return sentQueries.traceCallback(query, -1, { text }, undefined, ...parts);
      return sentQueries.tracePromise(query, { text }, undefined, ...parts);
    }) as typeof client.query;
  });
}

function textOf(statement: unknown): string | null {
  if (typeof statement === "string") return statement;
  const isPlain = typeof statement === "object" && statement !== null && !("submit" in statement);
  return isPlain && "text" in statement && typeof statement.text === "string" ? statement.text : null;
}
