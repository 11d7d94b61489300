import { sql } from "kysely";
import { vi } from "vitest";
import type { Db } from "../client.ts";

/** Resolves once `count` connections to the test's database wait for a lock. */
export async function untilWaiting(db: Db, count = 1): Promise<void> {
  await vi.waitUntil(async () => (await countWaiting(db)) >= count, { timeout: 60_000, interval: 5 });
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}
