import { createHmac } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { TryLimit } from "./login-limits.ts";

interface Counted {
  key: string;
  limit: TryLimit;
}

/**
 * Counts a try under each key in turn, and returns 0, or the seconds to wait under the first key that makes it wait. A try
 * that is told to wait is counted under no key, so that a wait at one count makes no wait at another. Each statement locks
 * one row, so that tries which share rows can't deadlock. The counting comes before any check, row by locked row, so that
 * a hundred concurrent tries are a hundred tries.
 */
export async function countTries(db: Db, counted: readonly Counted[]): Promise<number> {
  const keys: string[] = [];
  for (const { key, limit } of counted) {
    const { rows } = await sql<{ wait: number }>`select count_login_try(${key}, ${limit.free}::int,
      ${limit.windowSeconds}::int, ${limit.firstWaitSeconds}::int, ${limit.maxWaitSeconds}::int) as wait`.execute(db);
    const wait = rows[0]?.wait ?? 0;
    if (wait > 0) {
      if (keys.length > 0) await takeBackTries(db, keys);
      return wait;
    }
    keys.push(key);
  }
  return 0;
}

/** Takes back a try that led to no check, together with the waits that it caused. */
export async function takeBackTries(db: Db, keys: readonly string[]): Promise<void> {
  await sql`select take_back_login_tries(${keys})`.execute(db);
}

/** Returns the key of a count: HMAC-SHA-256, so that `login_tries` stores no account, address or mailbox. */
export function keyed(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
