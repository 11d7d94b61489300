import type { Db } from "@farthing/db/client.ts";
import { countTries, keyed } from "./count-tries.server.ts";
import { countedAddress } from "./counted-address.ts";
import { loginLimits } from "./login-limits.ts";

/**
 * Counts a mail that a network address or a member causes, and returns how many seconds they have to wait
 * (0: continue).
 */
export async function countMailFrom(db: Db, { from, secret }: { from: string; secret: string }): Promise<number> {
  return await countTries(db, [
    { key: keyed(secret, `mails from\n${countedAddress(from)}`), limit: loginLimits.mailsFrom },
  ]);
}

/**
 * Counts a mail of one kind to a mailbox, and returns whether the mailbox has had enough of them. Each kind has a
 * separate count, so that strangers can't use up with one kind what the owner needs of another.
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
  return (await countTries(db, [{ key: to, limit: loginLimits.mailsTo }])) > 0;
}

/**
 * Counts a mail to an address without an account, and returns whether it may be sent: its owner never asked for one.
 */
export async function mayWriteToStranger(
  db: Db,
  { brandId, email, secret }: { brandId: string; email: string; secret: string },
): Promise<boolean> {
  const key = keyed(secret, `stranger\n${brandId}\n${email}`);
  return (await countTries(db, [{ key, limit: loginLimits.mailsToStrangers }])) === 0;
}
