/**
 * Forgotten passwords, in three steps:
 * 1. requestPasswordReset stores a request, the same row for every address, so that the page reveals no members (S1).
 * 2. The worker calls answerResetRequests, which sends a link, or none by password-reset-rules.ts.
 * 3. resetPassword spends the link's token, sets the password and ends all access (members/recovery-rules.ts).
 * A member who is signed in changes the password with change-password.server.ts instead.
 */
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueMail } from "../mails/operations.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { paths, withToken } from "../paths.ts";
import { setPasswordHash, tellOfPassword } from "./change-password.server.ts";
import { mayWriteToStranger } from "./mail-counts.server.ts";
import { answerToReset, type SentResets } from "./password-reset-rules.ts";
import { findSignIn } from "./find-sign-in.server.ts";
import { issueToken, spendToken } from "../members/token.server.ts";

/** Records a request for a new password. The row is the same for an address with an account and for one without. */
export async function requestPasswordReset(
  db: Db,
  { brandId, email, now }: { brandId: string; email: string; now: Date },
): Promise<void> {
  await db
    .insertInto("password_reset_requests")
    .values({ id: newId(), brand_id: brandId, email, created_at: now })
    .execute();
}

const MAX_REQUESTS = 20;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Answers pending requests by mail, and returns how many; run by the worker. A request and its mail are one
 * transaction: none is lost or answered twice.
 */
export async function answerResetRequests(db: Db, { now }: { now: Date }): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const requests = await trx
      .deleteFrom("password_reset_requests")
      .where("id", "in", (query) =>
        query
          .selectFrom("password_reset_requests")
          .select("id")
          .orderBy("id")
          .limit(MAX_REQUESTS)
          .forUpdate()
          .skipLocked(),
      )
      .returning(["brand_id", "email"])
      .execute();
    for (const { brand_id: brandId, email } of requests) await answerRequest(trx, { brandId, email, now });
    return requests.length;
  });
}

async function answerRequest(
  trx: Trx,
  { brandId, email, now }: { brandId: string; email: string; now: Date },
): Promise<void> {
  const found = await findSignIn(trx, { brandId, email });
  if (!found || found.isSuspended) {
    // Only the mailbox itself learns that the address has no account.
    if (found || !(await mayWriteToStranger(trx, { brandId, email }))) return;
    return await queueMail(trx, { brandId, memberId: null, to: email, mail: { kind: "no-account" }, now });
  }
  const { memberId } = found;
  // Two workers with requests for one address count one after the other.
  await lockMember(trx, { brandId, memberId });
  const answer = answerToReset(await findSentResets(trx, { memberId, email, now }), now);
  if (!answer.sends) return;
  const { lifeMs } = answer;
  const token = await issueToken(trx, { brandId, memberId, purpose: "reset-password", email, lifeMs, now });
  const path = withToken(paths.resetPassword, token);
  const hours = lifeMs / HOUR_MS;
  await queueMail(trx, { brandId, memberId, to: email, mail: { kind: "reset-password", path, hours }, now });
}

async function findSentResets(
  trx: Trx,
  { memberId, email, now }: { memberId: string; email: string; now: Date },
): Promise<SentResets> {
  const links = await trx
    .selectFrom("member_tokens")
    .select(["created_at as createdAt", "expires_at as expiresAt", "used_at"])
    .where("member_id", "=", memberId)
    .where("purpose", "=", "reset-password")
    .where("email", "=", email)
    .where("created_at", ">", new Date(now.getTime() - 24 * HOUR_MS))
    .orderBy("expires_at", "desc")
    .limit(100)
    .execute();
  const longest = links.find(({ used_at, expiresAt }) => used_at === null && expiresAt > now);
  return { sentInDay: links.length, longest: longest ?? null };
}

/**
 * Spends a reset token and sets the password. Ends sessions, links and passkeys (recovery-rules.ts), marks the address
 * as verified, and tells its owner. Returns null if the token is invalid.
 */
export async function resetPassword(
  db: Db,
  { brandId, token, hash, now }: { brandId: string; token: string; hash: string; now: Date },
): Promise<{ memberId: string } | null> {
  return await db.transaction().execute(async (trx) => {
    const spent = await spendToken(trx, { brandId, purposes: ["reset-password"], token, now });
    if (!spent) return null;
    const { memberId, email } = spent;
    await setPasswordHash(trx, { brandId, memberId, hash, now });
    await trx
      .updateTable("members")
      .set({ email_verified: true, updated_at: now })
      .where("id", "=", memberId)
      .where("email", "=", email)
      .where("email_verified", "=", false)
      .execute();
    await endAccess(trx, "reset-password", { brandId, memberId, now });
    await tellOfPassword(trx, { brandId, memberId, now });
    return { memberId };
  });
}
