/**
 * Forgotten passwords, in three steps:
 * 1. requestPasswordReset stores a request, the same row for every address, so that the page reveals no members (S1).
 * 2. The worker calls answerResetRequests, which sends a link, or none by password-reset-rules.ts.
 * 3. resetPassword (password-reset.server.ts) spends the link's token, sets the password and ends all access
 *    (members/recovery-rules.ts).
 * A member who is signed in changes the password with change-password.server.ts instead.
 */
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { openDueWork, type FailedState, type Lease } from "../due-work/due-work.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { issueToken } from "../members/token.server.ts";
import { paths, withToken } from "../paths.ts";
import { findSignIn } from "./find-sign-in.server.ts";
import { mayWriteToStranger } from "./mail-counts.server.ts";
import { answerToReset, nextResetAttempt, type SentResets } from "./password-reset-rules.ts";

interface ResetRequest {
  brandId: string;
  email: string;
}

const MAX_REQUESTS = 20;
const LEASE_MS = 60_000;
const HOUR_MS = 60 * 60 * 1000;
const KEPT_DAYS = 30;

/** Requests that wait for their answer. One that was answered is deleted. */
export const dueResetRequests = openDueWork<ResetRequest>()({
  table: "password_reset_requests",
  id: "id",
  dueAt: "next_try_at",
  attempts: "attempts",
  lastError: "last_error",
  isOpen: sql`work.given_up_at is null`,
  columns: sql`work.brand_id as "brandId", work.email`,
  nextAttempt: nextResetAttempt,
  bury: (now) => ({ given_up_at: now }),
  isBuried: sql`work.given_up_at is not null`,
  revive: () => ({ given_up_at: null }),
});

/** Records a request for a new password. The row is the same for an address with an account and for one without. */
export async function requestPasswordReset(
  db: Db,
  { brandId, email, now }: { brandId: string; email: string; now: Date },
): Promise<void> {
  await db
    .insertInto("password_reset_requests")
    .values({ id: newId(), brand_id: brandId, email, created_at: now, next_try_at: now })
    .execute();
}

/** A request that could not be answered. It says nothing about the address. */
export interface FailedResetRequest {
  id: string;
  attempts: number;
  state: FailedState;
  error: unknown;
}

export interface AnswerOptions {
  /** Key of the hash that stands for a stranger's address. */
  secret: string;
  now: Date;
  onFailure(failed: FailedResetRequest): void;
}

/**
 * Answers due requests by mail, and returns how many were claimed; run by the worker. A request and its mail are one
 * transaction: none is lost or answered twice. One that fails is reported and due again later, and holds up no other.
 */
export async function answerResetRequests(db: Db, { secret, now, onFailure }: AnswerOptions): Promise<number> {
  const due = await dueResetRequests.claim(db, { now, leaseMs: LEASE_MS, max: MAX_REQUESTS });
  for (const request of due) {
    try {
      await db.transaction().execute(async (trx) => {
        if (await settleResetRequest(trx, request)) await answerRequest(trx, { ...request, secret, now });
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const state = await dueResetRequests.fail(db, request, { now, error: reason });
      onFailure({ id: request.id, attempts: request.attempts, state, error });
    }
  }
  return due.length;
}

/** Deletes a request, in the transaction that answers it. False: the lease had ended, and nothing was changed. */
export async function settleResetRequest(db: Db | Trx, { id, until }: Lease): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("password_reset_requests")
    .where("id", "=", id)
    .where("next_try_at", "=", until)
    .where("given_up_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Removes requests that were given up more than 30 days ago; for a regular job. */
export async function forgetOldResetRequests(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom("password_reset_requests")
    .where("given_up_at", "<", new Date(now.getTime() - KEPT_DAYS * 24 * HOUR_MS))
    .execute();
}

async function answerRequest(
  trx: Trx,
  { brandId, email, secret, now }: ResetRequest & { secret: string; now: Date },
): Promise<void> {
  const found = await findSignIn(trx, { brandId, email });
  if (!found || found.isSuspended) {
    // Only the mailbox itself learns that the address has no account.
    if (found || !(await mayWriteToStranger(trx, { brandId, email, secret }))) return;
    return await queueMail(trx, { brandId, memberId: null, to: email, mail: { kind: "no-account" }, now });
  }
  const { memberId } = found;
  // Two workers with requests for one address count one after the other.
  await lockMember(trx, { brandId, memberId });
  // Again under the lock: the member may have removed the address meanwhile, and a link to it would undo that.
  const still = await findSignIn(trx, { brandId, email });
  if (still?.memberId !== memberId || still.isSuspended) return;
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
