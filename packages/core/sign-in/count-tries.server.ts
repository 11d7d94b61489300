import { createHmac } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { TryLimit } from "./login-limits.ts";

interface Counted {
  key: string;
  limit: TryLimit;
}

/** Counts in the order of the keys: two tries that share rows take their locks in the same order. Gives the longest wait. */
export async function countTries(db: Db, counted: readonly Counted[]): Promise<number> {
  const sorted = [...counted].sort((one, other) => (one.key < other.key ? -1 : 1));
  const calls = sorted.map(
    ({ key, limit }) =>
      sql`count_login_try(${key}, ${limit.free}::int, ${limit.windowSeconds}::int, ${limit.firstWaitSeconds}::int, ${limit.maxWaitSeconds}::int)`,
  );
  const { rows } = await sql<{ wait: number }>`select greatest(${sql.join(calls)}) as wait`.execute(db);
  return rows[0]?.wait ?? 0;
}

export function keyed(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
