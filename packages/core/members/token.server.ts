import { createHash, randomBytes } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { tokenLifeMs, type TokenPurpose } from "./token-rules.ts";

export interface NewToken {
  brandId: string;
  memberId: string;
  purpose: TokenPurpose;
  /** The address it was sent to, or is about. */
  email: string;
  /** Where the person goes on to afterwards. */
  next?: string;
  now: Date;
}

/** Makes a token for a link in an e-mail. Only its hash is kept; earlier ones for the same purpose and address are worth nothing from now on. */
export async function issueToken(
  db: Db | Trx,
  { brandId, memberId, purpose, email, next, now }: NewToken,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db
    .updateTable("member_tokens")
    .set({ used_at: now })
    .where("member_id", "=", memberId)
    .where("purpose", "=", purpose)
    .where("email", "=", email)
    .where("used_at", "is", null)
    .execute();
  await db
    .insertInto("member_tokens")
    .values({
      id: newId(),
      brand_id: brandId,
      member_id: memberId,
      purpose,
      token_hash: hashOf(token),
      email,
      next_path: next ?? null,
      created_at: now,
      expires_at: new Date(now.getTime() + tokenLifeMs[purpose]),
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
}

/** What a token stands for, while it is good: this brand's, this purpose's, unused, not over. */
export async function findToken(
  db: Db | Trx,
  { brandId, purposes, token, now }: { brandId: string; purposes: readonly TokenPurpose[]; token: string; now: Date },
): Promise<FoundToken | null> {
  const row = await db
    .selectFrom("member_tokens")
    .select(["id", "member_id as memberId", "purpose", "email", "next_path as next"])
    .where("token_hash", "=", hashOf(token))
    .where("brand_id", "=", brandId)
    .where("purpose", "in", purposes)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ? { ...row, purpose: row.purpose as TokenPurpose } : null;
}

/** Spends a token: gives it once, however many ask at a time. Roll the transaction back and it is unspent. */
export async function spendToken(
  trx: Trx,
  query: { brandId: string; purposes: readonly TokenPurpose[]; token: string; now: Date },
): Promise<FoundToken | null> {
  const found = await findToken(trx, query);
  if (!found) return null;
  const { numUpdatedRows } = await trx
    .updateTable("member_tokens")
    .set({ used_at: query.now })
    .where("id", "=", found.id)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? found : null;
}

/** Removes tokens that have been over for a week; for a regular job. */
export async function forgetOldMemberTokens(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom("member_tokens")
    .where("expires_at", "<", new Date(now.getTime() - 7 * 86_400_000))
    .execute();
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
