import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { keepMarkedPlans } from "./kept-plans.ts";
import type { DB } from "./schema.ts";

export type Database = DB;
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export interface OpenedDatabase {
  db: Db;
  pool: pg.Pool;
  /** Waits for queries in flight, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens a pool to the database at `url`.
 * bigint columns arrive as safe integers (money is pence), dates without a time as `YYYY-MM-DD`, timestamptz as Date.
 * Statements stay unnamed, so that a transaction pooler in front (PgBouncer) works; the few that are marked to keep their plan do without where it doesn't.
 */
export function openDatabase({ url, max = 10 }: { url: string; max?: number }): OpenedDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: "farthing",
    types: { getTypeParser },
  });
  // A connection that the server closes while it is idle (restart, failover) is replaced by the pool on next use.
  // Without a listener the event would end the process; queries that meet the fault still throw it.
  pool.on("error", () => {});
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
