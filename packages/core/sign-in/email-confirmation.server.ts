/**
 * Confirming an e-mail address, a new member's or an additional one (members/emails.server.ts):
 * 1. startEmailConfirmation mails a link; its page has a button, so that a mail scanner that opens it spends nothing.
 * 2. findConfirmation says what the page asks for: a registration in another browser needs a new password.
 * 3. confirmEmail spends the token; a new member is then signed in and continues to `next`.
 */
import type { Db, Trx } from "@farthing/db/client.ts";
import { queueMail } from "../mails/operations.server.ts";
import { finishAddingEmail } from "../members/emails.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { maskedEmail } from "../members/masked-email.ts";
import { paths, withToken } from "../paths.ts";
import { safeNext } from "./next-path.ts";
import { setPasswordHash } from "./change-password.server.ts";
import { findSignInOf } from "./find-sign-in.server.ts";
import { tokenLifeMs } from "../members/token-rules.ts";
import { hashSecretTokenAsText } from "../secrets/secret-token.ts";
import { findToken, issueToken, spendToken, type FoundToken } from "../members/token.server.ts";

/**
 * Sends the link that verifies a new member's e-mail address (M2), in the caller's transaction. `browserHash`
 * identifies the browser that registered.
 */
export async function startEmailConfirmation(
  trx: Db | Trx,
  {
    brandId,
    memberId,
    email,
    next,
    browserHash = null,
    now,
  }: { brandId: string; memberId: string; email: string; next?: string; browserHash?: string | null; now: Date },
): Promise<void> {
  const purpose = "confirm-email";
  const goesOn = next === undefined ? {} : { next: safeNext(next) };
  const token = await issueToken(trx, { brandId, memberId, purpose, email, browserHash, now, ...goesOn });
  const hours = tokenLifeMs[purpose] / (60 * 60 * 1000);
  const path = withToken(paths.confirmEmail, token);
  await queueMail(trx, { brandId, memberId, to: email, mail: { kind: "confirm-email", path, hours }, now });
}

const purposes = ["confirm-email", "add-email"] as const;

export interface Confirmation {
  email: string;
  /**
   * Whether the person has to choose a password: someone who does not own the address may have registered the account.
   */
  needsPassword: boolean;
  /**
   * For an additional address: the masked main address of the account that it would open, so that a person does not add
   * their address to a stranger's account unawares.
   */
  account: string | null;
}

/**
 * Returns what a valid confirmation link asks for, without spending it; null for an invalid one. `browserToken` is the
 * value that the registering browser has.
 */
export async function findConfirmation(
  db: Db,
  { brandId, token, browserToken, now }: { brandId: string; token: string; browserToken: string | null; now: Date },
): Promise<Confirmation | null> {
  const found = await findToken(db, { brandId, purposes, token, now });
  if (!found) return null;
  const { email, purpose, memberId } = found;
  const signIn = purpose === "add-email" ? await findSignInOf(db, { brandId, memberId }) : null;
  return { email, needsPassword: needsPassword(found, browserToken), account: signIn && maskedEmail(signIn.email) };
}

function needsPassword({ purpose, browserHash }: FoundToken, browserToken: string | null): boolean {
  if (purpose !== "confirm-email") return false;
  return browserToken === null || hashSecretTokenAsText(browserToken) !== browserHash;
}

export type ConfirmedEmail =
  /** A new member's address: sign them in and continue to `next`. */
  | { kind: "new-member"; memberId: string; next: string | null }
  /** An additional address of a member. */
  | { kind: "added"; memberId: string; email: string };

/**
 * Spends a confirmation token. A new member's password is `passwordHash`; without one, the password from registration
 * stands, but only in the browser that registered: the link proves who owns the address, not who typed the password.
 * Returns null if the token is unknown, used, expired or another brand's, if the address now belongs to another member,
 * or if a password is required and none is given.
 */
export async function confirmEmail(
  db: Db,
  {
    brandId,
    token,
    browserToken,
    passwordHash,
    now,
  }: { brandId: string; token: string; browserToken: string | null; passwordHash: string | null; now: Date },
): Promise<ConfirmedEmail | null> {
  return await db.transaction().execute(async (trx) => {
    const found = await findToken(trx, { brandId, purposes, token, now });
    if (!found || (passwordHash === null && needsPassword(found, browserToken))) return null;
    const spent = await spendToken(trx, { brandId, purposes, token, now });
    if (!spent) return null;
    const { memberId, email } = spent;
    if (spent.purpose === "add-email")
      return (await finishAddingEmail(trx, { brandId, memberId, email, now }))
        ? { kind: "added", memberId, email }
        : null;
    const { numUpdatedRows } = await trx
      .updateTable("members")
      .set({ email_verified: true, updated_at: now })
      .where("id", "=", memberId)
      .where("email", "=", email)
      .where("suspended_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    if (passwordHash !== null) {
      await setPasswordHash(trx, { brandId, memberId, hash: passwordHash, now });
      await endAccess(trx, "change-password", { brandId, memberId, now });
    }
    return { kind: "new-member", memberId, next: spent.next };
  });
}
