import { createHmac } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countedAddress, loginLimits, waitSeconds, type TryCount } from "./login-limits.ts";

export interface Try {
  brandId: string;
  email: string;
  address: string;
  /** Keys the hash that stands for account and address in the table. */
  secret: string;
}

/**
 * Counts a try to log in, before the password is looked at, and says how many seconds to wait (0: go on). Counting comes first and in
 * one statement, so that a hundred tries at once are a hundred tries. The count outlives restarts and is shared by all processes (S1).
 */
export async function countTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt);
  const { accountAndAddress: pair, address } = loginLimits;
  // Sorted by key: two tries that share a row take their locks in the same order.
  const { rows } = await sql<{ key: string; tries: number; resets_at: Date; now: Date }>`
    insert into login_tries as counted (key, tries, resets_at)
    select key, 1, now() + seconds * interval '1 second'
    from (values (${keys.accountAndAddress}, ${pair.windowSeconds}::int), (${keys.address}, ${address.windowSeconds}::int)) as wanted (key, seconds)
    order by key
    on conflict (key) do update set
      tries = case when counted.resets_at <= now() then 1 else counted.tries + 1 end,
      resets_at = case when counted.resets_at <= now() then excluded.resets_at else counted.resets_at end
    returning key, tries, resets_at, now() as now`.execute(db);
  const countOf = (key: string): TryCount => {
    const row = rows.find((candidate) => candidate.key === key);
    if (!row) throw new Error("A try to log in was not counted");
    return { tries: row.tries, resetsAt: row.resets_at };
  };
  const now = rows[0]?.now ?? new Date();
  return waitSeconds({ accountAndAddress: countOf(keys.accountAndAddress), address: countOf(keys.address) }, now);
}

/** Takes a try back that was no guess: the password was right. The account's count at this address starts anew. */
export async function forgiveTry(db: Db, attempt: Try): Promise<void> {
  const keys = keysOf(attempt);
  await db.deleteFrom("login_tries").where("key", "=", keys.accountAndAddress).execute();
  await db
    .updateTable("login_tries")
    .set({ tries: sql`greatest(tries - 1, 0)` })
    .where("key", "=", keys.address)
    .execute();
}

/** Removes counts whose window is over; for a regular job. Gives how many. */
export async function forgetOldTries(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("login_tries")
    .where("resets_at", "<", sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function keysOf({ brandId, email, address, secret }: Try): { accountAndAddress: string; address: string } {
  const counted = countedAddress(address);
  const hashed = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");
  return {
    accountAndAddress: hashed(`account\n${brandId}\n${email}\n${counted}`),
    address: hashed(`address\n${counted}`),
  };
}
