import { sql } from "kysely";
import { withStackDatabase } from "./stack-database.ts";

/** What tests of different processes must not do at once: each would take what is the other's in the stack they share. */
const LOCKS = { "payout batches": 4_106_900, "operators' codes": 4_106_901 } as const;

/** Runs a part of a test while no other test runs one of the same name. */
export function oneAtATime<T>(what: keyof typeof LOCKS, work: () => Promise<T>): Promise<T> {
  return withStackDatabase((db) =>
    db.connection().execute(async (connection) => {
      // Of the session: it ends with the connection, also where the test's process is killed.
      await sql`select pg_advisory_lock(${LOCKS[what]})`.execute(connection);
      return await work();
    }),
  );
}
