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

/** Notes that somebody forgot the password of an address. The same one row for an address with an account and for one without. */
export async function requestPasswordReset(
  db: Db,
  { brandId, email, now }: { brandId: string; email: string; now: Date },
): Promise<void> {
  await db
    .insertInto("password_reset_requests")
    .values({ id: newId(), brand_id: brandId, email, created_at: now })
    .execute();
}

const MOST = 20;
const hourMs = 60 * 60 * 1000;

/** Answers what was asked for by mail; for the worker. A request and its mail are one transaction: none is lost, none is answered twice. */
export async function answerResetRequests(db: Db, { now }: { now: Date }): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const requests = await trx
      .deleteFrom("password_reset_requests")
      .where("id", "in", (query) =>
        query.selectFrom("password_reset_requests").select("id").orderBy("id").limit(MOST).forUpdate().skipLocked(),
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
    // Whoever forgot which address they joined with reads so in the mailbox they tried, and nobody else does.
    if (found || !(await mayWriteToStranger(trx, { brandId, email }))) return;
    return await queueMail(trx, { brandId, memberId: null, to: email, mail: { kind: "no-account" }, now });
  }
  const { memberId } = found;
  // Two workers with two requests for one address count one after the other.
  await lockMember(trx, { brandId, memberId });
  const answer = answerToReset(await findSentResets(trx, { memberId, email, now }), now);
  if (!answer.sends) return;
  const { lifeMs } = answer;
  const token = await issueToken(trx, { brandId, memberId, purpose: "reset-password", email, lifeMs, now });
  const path = withToken(paths.resetPassword, token);
  const hours = lifeMs / hourMs;
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
    .where("created_at", ">", new Date(now.getTime() - 24 * hourMs))
    .orderBy("expires_at", "desc")
    .limit(100)
    .execute();
  const longest = links.find(({ used_at, expiresAt }) => used_at === null && expiresAt > now);
  return { sentInDay: links.length, longest: longest ?? null };
}

/**
 * Spends the token of a reset and sets the password. Sessions, links and passkeys end (recovery-rules.ts), the address counts as proved, and its owner hears of
 * it. Null where the token is not good.
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
