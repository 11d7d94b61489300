import pg from "pg";
import { inject } from "vitest";

/** Runs `work` while no other test file of the run holds the lock of that name. */
export async function withTestLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject("databaseAdminUrl") });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    return await work();
  } finally {
    await client.end(); // and with it the lock
  }
}
