import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countedAddress } from "./counted-address.ts";
import { countTries, keyed, takeBackTries } from "./count-tries.server.ts";
import { loginLimits, SIEGE_TRIES } from "./login-limits.ts";

export interface Try {
  brandId: string;
  /**
   * The e-mail address as it was typed, or the member's id if the caller has already proved that they know the
   * member. Never the id for an address that a stranger typed: a shared count would reveal that two addresses belong
   * to one person.
   */
  account: string;
  address: string;
  /** The mark of a browser in which this account was opened before (device-cookie.ts), or null. */
  device: string | null;
  /** Key of the hash that stands for account and address in the table. */
  secret: string;
}

/**
 * Counts a login attempt before the password is checked, and returns how many seconds to wait (0: continue). All
 * processes share the count, and it survives restarts (S1).
 */
export async function countTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt);
  if (keys.device !== null) return await countTries(db, [{ key: keys.device, limit: loginLimits.knownDevice }]);
  const isBesieged = (await wrongTries(db, keys.account)) >= SIEGE_TRIES;
  const own = isBesieged ? loginLimits.besieged : loginLimits.accountAndAddress;
  return await countTries(db, [
    { key: keys.accountAndAddress, limit: own },
    { key: keys.address, limit: loginLimits.address },
    // The account's own count only decides whether it is besieged: strangers must not be able to delay the owner.
    { key: keys.account, limit: loginLimits.account },
  ]);
}

/** Counts a code of the second step; `account` is the member's id. */
export async function countCodeTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt, "code");
  if (keys.device !== null) return await countTries(db, [{ key: keys.device, limit: loginLimits.code }]);
  // A code that is not checked is no guess: one address must not delay every other.
  return await countTries(db, [
    { key: keys.accountAndAddress, limit: loginLimits.code },
    { key: keys.account, limit: loginLimits.codesOfAccount },
  ]);
}

/** Takes back a try that was not checked because the server was busy, together with the wait that it caused. */
export async function takeBackTry(db: Db, attempt: Try): Promise<void> {
  const { accountAndAddress, account, address, device } = keysOf(attempt);
  const counted = device === null ? [accountAndAddress, account, address] : [device];
  await takeBackTries(db, counted);
}

/**
 * Counts a passkey's answer by network address alone: nothing can be guessed, but each check costs time. `forgiveTry`
 * takes it back.
 */
export async function countPasskeyTry(db: Db, attempt: Try): Promise<number> {
  return await countTries(db, [{ key: keysOf(attempt).address, limit: loginLimits.address }]);
}

/** Takes back a try whose password was right. The count of the account from this address restarts. */
export async function forgiveTry(db: Db, attempt: Try): Promise<void> {
  const keys = keysOf(attempt);
  await db
    .deleteFrom("login_tries")
    .where("key", "in", [keys.accountAndAddress, ...(keys.device === null ? [] : [keys.device])])
    .execute();
  if (keys.device !== null) return;
  await takeBackTries(db, [keys.account, keys.address]);
}

/** Takes back a try whose code was right. */
export async function forgiveCodeTry(db: Db, attempt: Try): Promise<void> {
  const keys = keysOf(attempt, "code");
  await db
    .deleteFrom("login_tries")
    .where("key", "in", [keys.accountAndAddress, keys.account, ...(keys.device === null ? [] : [keys.device])])
    .execute();
}

/** Removes counts whose window is over; run by a regular job. Returns the number of removed rows. */
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
