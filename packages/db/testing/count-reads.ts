import { sql } from "kysely";
import type { Db, Trx } from "../client.ts";

/** What some reads cost, counted by PostgreSQL. Unlike a time, it is the same on every machine. */
export interface Reading {
  /** Rows of tables and entries of indexes that were read, whether or not they were returned. */
  rows: number;
  statements: number;
}

/** Executes `work` on one connection and returns what it read from the tables and indexes of the schema. */
export async function countReads(db: Db, work: (trx: Trx) => Promise<unknown>): Promise<Reading> {
  return db.transaction().execute(async (trx) => {
    const rowsBefore = await rowsRead(trx);
    let statements = 0;
    const counted = trx.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await work(counted as Trx);
    return { rows: (await rowsRead(trx)) - rowsBefore, statements };
  });
}

async function rowsRead(trx: Trx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint as read
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`.execute(trx);
  return rows[0]!.read;
}
