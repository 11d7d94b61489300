import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { hashSecretTokenAsText, newSecretToken } from "../secrets/secret-token.ts";
import { lockMember } from "./lock-member.server.ts";
import { tokenLifeMs, type TokenPurpose } from "./token-rules.ts";

export interface NewToken {
  brandId: string;
  memberId: string;
  purpose: TokenPurpose;
  /** The address that the link was sent to, or that it is about. */
  email: string;
  /** The path that the person continues to. */
  next?: string;
  /** The browser that requested the link: a hash of a value that only this browser has. */
  browserHash?: string | null;
  /** For an address that may take the account back: since when it has been the main one. */
  mainSince?: Date | null;
  /** Lifetime in milliseconds; by default that of the purpose. */
  lifeMs?: number;
  now: Date;
}

/**
 * Creates a token for a link in an e-mail and returns it; only its hash is stored. Earlier tokens stay valid until one
 * of them is used: otherwise anyone could request a link in another person's name and so invalidate the one that this
 * person is about to follow.
 */
export async function issueToken(
  db: Db | Trx,
  {
    brandId,
    memberId,
    purpose,
    email,
    next,
    browserHash = null,
    mainSince = null,
    lifeMs = tokenLifeMs[purpose],
    now,
  }: NewToken,
): Promise<string> {
  const token = newSecretToken();
  await db
    .insertInto("member_tokens")
    .values({
      id: newId(),
      brand_id: brandId,
      member_id: memberId,
      purpose,
      token_hash: hashSecretTokenAsText(token),
      email,
      next_path: next ?? null,
      browser_hash: browserHash,
      main_since: mainSince,
      created_at: now,
      expires_at: new Date(now.getTime() + lifeMs),
    })
    .execute();
  return token;
}

export interface FoundToken {
  id: string;
  memberId: string;
  purpose: TokenPurpose;
  email: string;
  next: string | null;
  browserHash: string | null;
  mainSince: Date | null;
}

/**
 * Returns the row of a valid token, or null. A token is valid if it belongs to this brand and purpose, is unused and
 * not expired, and its member is not suspended.
 */
export async function findToken(
  db: Db | Trx,
  { brandId, purposes, token, now }: { brandId: string; purposes: readonly TokenPurpose[]; token: string; now: Date },
): Promise<FoundToken | null> {
  const row = await db
    .selectFrom("member_tokens as known")
    .innerJoin("members as member", "member.id", "known.member_id")
    .select([
      "known.id",
      "known.member_id as memberId",
      "known.purpose",
      "known.email",
      "known.next_path as next",
      "known.browser_hash as browserHash",
      "known.main_since as mainSince",
    ])
    .where("known.token_hash", "=", hashSecretTokenAsText(token))
    .where("known.brand_id", "=", brandId)
    .where("known.purpose", "in", purposes)
    .where("known.used_at", "is", null)
    .where("known.expires_at", ">", now)
    .where("member.suspended_at", "is", null)
    .executeTakeFirst();
  return row ? { ...row, purpose: row.purpose as TokenPurpose } : null;
}

/**
 * Spends a token, together with all others for the same purpose and address, so that one of them works once even under
 * concurrent requests. Locks the member from here on. A rollback leaves the token unspent.
 */
export async function spendToken(
  trx: Trx,
  query: { brandId: string; purposes: readonly TokenPurpose[]; token: string; now: Date },
): Promise<FoundToken | null> {
  const seen = await findToken(trx, query);
  if (!seen) return null;
  // Lock the member first, as everywhere: acts of recovery end tokens under this lock. Then check again that the token
  // is valid.
  await lockMember(trx, { memberId: seen.memberId });
  const found = await findToken(trx, query);
  if (!found) return null;
  await trx
    .updateTable("member_tokens")
    .set({ used_at: query.now })
    .where("member_id", "=", found.memberId)
    .where("purpose", "=", found.purpose)
    .where("email", "=", found.email)
    .where("used_at", "is", null)
    .execute();
  return found;
}

/** Removes tokens that expired more than a week ago; run by a regular job. */
export async function forgetOldMemberTokens(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom("member_tokens")
    .where("expires_at", "<", new Date(now.getTime() - 7 * 86_400_000))
    .execute();
}
