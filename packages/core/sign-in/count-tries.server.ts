import { createHmac } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { TryLimit } from "./login-limits.ts";

interface Counted {
  key: string;
  limit: TryLimit;
}

/**
 * Counts a try under each key and returns the longest wait in seconds (0: continue). Keys are counted in sorted order,
 * so that two tries that share rows lock them in the same order and can't deadlock. The counting comes before any
 * check, row by locked row, so that a hundred concurrent tries are a hundred tries.
 */
export async function countTries(db: Db, counted: readonly Counted[]): Promise<number> {
  const sorted = [...counted].sort((one, other) => (one.key < other.key ? -1 : 1));
  const calls = sorted.map(
    ({ key, limit }) =>
      sql`count_login_try(${key}, ${limit.free}::int, ${limit.windowSeconds}::int, ${limit.firstWaitSeconds}::int, ${limit.maxWaitSeconds}::int)`,
  );
  const { rows } = await sql<{ wait: number }>`select greatest(${sql.join(calls)}) as wait`.execute(db);
  return rows[0]?.wait ?? 0;
}

/** Returns the key of a count: HMAC-SHA-256, so that `login_tries` stores no account, address or mailbox. */
export function keyed(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
