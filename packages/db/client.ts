import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { keepMarkedPlans } from "./kept-plans.ts";
import type { DB } from "./schema.ts";
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
  /** Max connections of this process. */
  max?: number;
  /** Connections that stay open when nobody asks anything, once they were opened: 1 shows others that this process lives. */
  min?: number;
  /** How long a query waits for a connection. */
  patienceMs?: number;
}

/**
 * Opens a pool to the database at `url`.
 * bigint columns arrive as safe integers (money is pence), dates without a time as `YYYY-MM-DD`, timestamptz as Date.
 * A lost connection ends nothing but the query that meets it, which rejects with DatabaseUnavailableError; so does every query that gets no
 * connection within ten seconds. The next one gets a new connection.
 * Statements stay unnamed, so that a transaction pooler in front (PgBouncer) works; the few that are marked to keep their plan do without where it doesn't.
 */
export function openDatabase({ url, max = 10, min = 0, patienceMs = 10_000 }: DatabaseOptions): OpenedDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    min,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 60_000,
    // A machine that vanishes says no goodbye: without probes its connections would wait for hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "farthing",
    types: { getTypeParser },
  });
  surviveLostConnections(pool);
  keepMarkedPlans(pool);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  // Kysely ends the pool only once it has used it.
  const close = async () => {
    await db.destroy();
    if (!pool.ending) await pool.end();
  };
  return { db, pool, close };
}

const { builtins } = pg.types;

function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  if (format !== "binary") {
    if (oid === builtins.INT8) return toSafeInteger;
    if (oid === builtins.DATE) return (value: string) => value;
  }
  return pg.types.getTypeParser(oid, format as "text");
}

/** @throws RangeError beyond 2^53: a wrong amount of money is worse than an error. */
function toSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`bigint ${value} is beyond JavaScript's safe integers`);
  return number;
}
