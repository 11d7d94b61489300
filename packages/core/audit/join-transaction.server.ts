import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

let savepoints = 0;

/**
 * Returns the transaction as a database: an operation that opens a transaction of its own joins this one, at a savepoint.
 * Where it throws, what it did is undone, as if its transaction had been rolled back.
 */
export function joinTransaction(trx: Trx): Db {
  const joined: Db = new Proxy(trx as Db, {
    get(target, name) {
      if (name === "transaction") return () => nested;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as (...given: never[]) => unknown).bind(target) : value;
    },
  });
  const nested = {
    // The isolation of the outer transaction holds; no operation that is called here asks for a stronger one.
    async execute<Result>(work: (inner: Trx) => Promise<Result>): Promise<Result> {
      savepoints += 1;
      const savepoint = sql.id(`joined_${savepoints}`);
      await sql`savepoint ${savepoint}`.execute(trx);
      try {
        const result = await work(joined as Trx);
        await sql`release savepoint ${savepoint}`.execute(trx);
        return result;
      } catch (error) {
        await sql`rollback to savepoint ${savepoint}`.execute(trx);
        throw error;
      }
    },
  };
  return joined;
}
