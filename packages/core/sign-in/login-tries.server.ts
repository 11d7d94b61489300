import { createHmac } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { countedAddress, loginLimits, siegeTries, type TryLimit } from "./login-limits.ts";

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

interface Counted {
  key: string;
  limit: TryLimit;
}

/**
 * Counts a try to log in, before the password is looked at, and says how many seconds to wait (0: go on). Counting comes first, row by locked row, so
 * that a hundred tries at once are a hundred tries. The count outlives restarts and is shared by all processes (S1).
 */
export async function countTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt);
  if (keys.device !== null) return await count(db, [{ key: keys.device, limit: loginLimits.knownDevice }]);
  const isBesieged = (await wrongTries(db, keys.account)) >= siegeTries;
  const own = isBesieged ? loginLimits.besieged : loginLimits.accountAndAddress;
  const wait = await count(db, [
    { key: keys.accountAndAddress, limit: own },
    { key: keys.address, limit: loginLimits.address },
  ]);
  // The account's own count only says whether it is besieged: a delay that strangers can bring about must not hold up the owner.
  if (wait === 0) await count(db, [{ key: keys.account, limit: loginLimits.account }]);
  return wait;
}

/** The same for a code of the second step; `account` is the member's id. */
export async function countCodeTry(db: Db, attempt: Try): Promise<number> {
  const keys = keysOf(attempt, "code");
  if (keys.device !== null) return await count(db, [{ key: keys.device, limit: loginLimits.code }]);
  return await count(db, [
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
  return await count(db, [{ key: keysOf(attempt).address, limit: loginLimits.address }]);
}

/** Counts a mail that somebody on the network, or a member, has us send; says how many seconds they have to wait (0: go on). */
export async function countMailFrom(db: Db, { from, secret }: { from: string; secret: string }): Promise<number> {
  return await count(db, [{ key: keyed(secret, `mails from\n${countedAddress(from)}`), limit: loginLimits.mailsFrom }]);
}

/**
 * Counts a mail of one kind to a mailbox and says whether it has had enough of them. Each kind has a count of its own, so that nobody uses up with one what its
 * owner needs of another.
 */
export async function isTooMuchMail(
  db: Db,
  {
    brandId,
    kind,
    email,
    secret,
  }: { brandId: string; kind: "add-email" | "confirm-email"; email: string; secret: string },
): Promise<boolean> {
  const to = keyed(secret, `mails to\n${kind}\n${brandId}\n${email}`);
  return (await count(db, [{ key: to, limit: loginLimits.mailsTo }])) > 0;
}

/** Whether a mail may go to an address that has no account: its owner never asked us for anything. */
export async function mayWriteToStranger(
  db: Db,
  { brandId, email }: { brandId: string; email: string },
): Promise<boolean> {
  const key = keyed(brandId, `stranger\n${email}`);
  return (await count(db, [{ key, limit: loginLimits.mailsToStrangers }])) === 0;
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

/** Counts in the order of the keys: two tries that share rows take their locks in the same order. Gives the longest wait. */
async function count(db: Db, counted: Counted[]): Promise<number> {
  const sorted = [...counted].sort((one, other) => (one.key < other.key ? -1 : 1));
  const calls = sorted.map(
    ({ key, limit }) =>
      sql`count_login_try(${key}, ${limit.free}::int, ${limit.windowSeconds}::int, ${limit.firstWaitSeconds}::int, ${limit.longestWaitSeconds}::int)`,
  );
  const { rows } = await sql<{ wait: number }>`select greatest(${sql.join(calls)}) as wait`.execute(db);
  return rows[0]?.wait ?? 0;
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

function keyed(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
