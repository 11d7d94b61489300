import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { keepMarkedPlans } from "./kept-plans.ts";
import type { DB } from "./schema.ts";
import { publishQueries, sentQueries } from "./sent-queries.ts";
import { surviveLostConnections } from "./unavailable.ts";

export type Database = DB;
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface OpenedDatabase {
  db: Db;
  pool: pg.Pool;
  /** Waits for queries in flight, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** The maximum number of connections of this process. */
  max?: number;
  /** Idle connections that stay open once they were opened. With 1, other processes see that this one is alive. */
  min?: number;
  /** How long a query waits for a connection before it rejects. */
  acquireTimeoutMs?: number;
  /** How long a query waits for its answer before it rejects and its connection is dropped; by default as long as the server takes. */
  answerTimeoutMs?: number;
}

/**
 * Opens a pool to the database at `url`.
 * bigint columns arrive as safe integers (money is pence), dates without a time as `YYYY-MM-DD`, timestamptz as Date.
 *
 * Rejects a query with DatabaseUnavailableError where its connection is lost, or where it gets no connection within
 * `acquireTimeoutMs` or no answer within `answerTimeoutMs`. The next query gets a new connection.
 *
 * Statements are unnamed, so that a transaction pooler (PgBouncer) works. The few statements that are marked to keep
 * their plan (kept-plans.ts) fall back to unnamed ones where a pooler does not carry names over.
 */
export function openDatabase({
  url,
  max = 10,
  min = 0,
  acquireTimeoutMs = 10_000,
  answerTimeoutMs,
}: DatabaseOptions): OpenedDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    min,
    connectionTimeoutMillis: acquireTimeoutMs,
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    idleTimeoutMillis: 60_000,
    // A machine that disappears closes nothing: without probes, queries on its connections would wait for hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "farthing",
    types: { getTypeParser },
  });
  surviveLostConnections(pool);
  keepMarkedPlans(pool);
  if (sentQueries.hasSubscribers) publishQueries(pool);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const untilClosed = watchConnections(pool);
  // Kysely ends the pool only if it has used it.
  const close = async () => {
    await db.destroy();
    if (!pool.ending) await pool.end();
    await untilClosed();
  };
  return { db, pool, close };
}

/** How long `close` waits for a server that does not hang up. */
const HANG_UP_MS = 2_000;

/**
 * Returns a function that waits until the server has closed its side of every connection. A pool's `end` resolves earlier, while the server still
 * lists them: who stops the server then would see them as another client's.
 */
function watchConnections(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.PoolClient>();
  const closed = Promise.withResolvers<void>();
  pool.on("connect", (client) => void open.add(client));
  pool.on("remove", (client) => {
    open.delete(client);
    if (pool.ending && open.size === 0) closed.resolve();
  });
  return async () => {
    if (open.size === 0) return;
    const timer = setTimeout(closed.resolve, HANG_UP_MS);
    await closed.promise;
    clearTimeout(timer);
  };
}

const { builtins } = pg.types;

function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  if (format !== "binary") {
    if (oid === builtins.INT8) return toSafeInteger;
    if (oid === builtins.DATE) return (value: string) => value;
  }
  return pg.types.getTypeParser(oid, format as "text");
}

/** @throws RangeError for a value that JavaScript would round: a wrong amount of money is worse than an error. */
function toSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint ${value} is beyond JavaScript's safe integers`);
  return number;
}
