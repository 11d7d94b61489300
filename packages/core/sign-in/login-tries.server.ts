import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countedAddress } from "./counted-address.ts";
import { countTries, keyed } from "./count-tries.server.ts";
import { loginLimits, SIEGE_TRIES } from "./login-limits.ts";

export interface Try {
  brandId: string;
  /**
   * What is being tried: the e-mail as it was typed, or the member's id where whoever tries has shown already that they know the member. Never the id for an e-mail
   * that a stranger typed: two addresses with one count would tell that they are one person's.
   */
  account: string;
  address: string;
  /** The mark of a browser that this account was opened in before (device-cookie.ts), or null. */
  device: string | null;
  /** Keys the hash that stands for account and address in the table. */
  secret: string;
}

/**
 * Counts a try to log in, before the password is looked at, and says how many seconds to wait (0: go on). Counting comes first, row by locked row, so
 * that a hundred tries at once are a hundred tries. The count outlives restarts and is shared by all processes (S1).
 */
export async function countTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt);
  if (keys.device !== null) return await countTries(db, [{ key: keys.device, limit: loginLimits.knownDevice }]);
  const isBesieged = (await wrongTries(db, keys.account)) >= SIEGE_TRIES;
  const own = isBesieged ? loginLimits.besieged : loginLimits.accountAndAddress;
  const wait = await countTries(db, [
    { key: keys.accountAndAddress, limit: own },
    { key: keys.address, limit: loginLimits.address },
  ]);
  // The account's own count only says whether it is besieged: a delay that strangers can bring about must not hold up the owner.
  if (wait === 0) await countTries(db, [{ key: keys.account, limit: loginLimits.account }]);
  return wait;
}

/** The same for a code of the second step; `account` is the member's id. */
export async function countCodeTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt, "code");
  if (keys.device !== null) return await countTries(db, [{ key: keys.device, limit: loginLimits.code }]);
  return await countTries(db, [
    { key: keys.accountAndAddress, limit: loginLimits.code },
    { key: keys.account, limit: loginLimits.codesOfAccount },
  ]);
}

/** Takes back a try that nobody looked at, because the server was busy: it was no guess, and the wait that it brought about is off. */
export async function takeBackTry(db: Db, attempt: Try): Promise<void> {
  const { accountAndAddress, account, address, device } = keysOf(attempt);
  const counted = device === null ? [accountAndAddress, account, address] : [device];
  await sql`select take_back_login_tries(${counted})`.execute(db);
}

/** Counts an answer of a passkey by its address alone: nothing is guessed there, but each is work for us. `forgiveTry` takes it back. */
export async function countPasskeyTry(db: Db, attempt: Try): Promise<number> {
  return await countTries(db, [{ key: keysOf(attempt).address, limit: loginLimits.address }]);
}

/** Takes a try back that was no guess: the password was right. The account's count from here starts anew. */
export async function forgiveTry(db: Db, attempt: Try): Promise<void> {
  const keys = keysOf(attempt);
  await db
    .deleteFrom("login_tries")
    .where("key", "in", [keys.accountAndAddress, ...(keys.device === null ? [] : [keys.device])])
    .execute();
  if (keys.device !== null) return;
  await sql`select take_back_login_tries(${[keys.account, keys.address]})`.execute(db);
}

/** The same for a code that was right. */
export async function forgiveCodeTry(db: Db, attempt: Try): Promise<void> {
  const keys = keysOf(attempt, "code");
  await db
    .deleteFrom("login_tries")
    .where("key", "in", [keys.accountAndAddress, keys.account, ...(keys.device === null ? [] : [keys.device])])
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

async function wrongTries(db: Db, key: string): Promise<number> {
  const row = await db
    .selectFrom("login_tries")
    .select("tries")
    .where("key", "=", key)
    .where("resets_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row?.tries ?? 0;
}

function keysOf({ brandId, account, address, device, secret }: Try, kind = "account") {
  const counted = countedAddress(address);
  return {
    accountAndAddress: keyed(secret, `${kind}\n${brandId}\n${account}\n${counted}`),
    account: keyed(secret, `${kind}\n${brandId}\n${account}`),
    address: keyed(secret, `address\n${counted}`),
    device: device === null ? null : keyed(secret, `${kind} device\n${brandId}\n${account}\n${device}`),
  };
}
