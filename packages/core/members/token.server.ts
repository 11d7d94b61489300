import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { hashSecretTokenAsText, newSecretToken } from "../secrets/secret-token.ts";
import { lockMember } from "./lock-member.server.ts";
import { tokenLifeMs, type TokenPurpose } from "./token-rules.ts";

export interface NewToken {
  brandId: string;
  memberId: string;
  purpose: TokenPurpose;
  /** The address it was sent to, or is about. */
  email: string;
  /** Where the person goes on to afterwards. */
  next?: string;
  /** The browser it was asked for in: a hash of what this browser alone has. */
  browserHash?: string | null;
  /** Of an address that may take the account back: since when it has been one that was the main one. */
  mainSince?: Date | null;
  /** How long it is good; as long as its purpose says, unless it is given. */
  lifeMs?: number;
  now: Date;
}

/**
 * Makes a token for a link in an e-mail. Only its hash is kept. Earlier ones stay good until one of them is used: otherwise whoever asks for one in somebody's
 * name would end the link that this person is about to press.
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

/** What a token stands for, while it is good: this brand's, this purpose's, unused, not over, and its member not suspended. */
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
 * Spends a token, and with it all others for the same purpose and address: one of them works once, however many ask at a time. The member is locked from here on.
 * Roll the transaction back and it is unspent.
 */
export async function spendToken(
  trx: Trx,
  query: { brandId: string; purposes: readonly TokenPurpose[]; token: string; now: Date },
): Promise<FoundToken | null> {
  const seen = await findToken(trx, query);
  if (!seen) return null;
  // The member first, as everywhere: acts of recovery end tokens under this lock. Then whether the token is still good.
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

/** Removes tokens that have been over for a week; for a regular job. */
export async function forgetOldMemberTokens(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom("member_tokens")
    .where("expires_at", "<", new Date(now.getTime() - 7 * 86_400_000))
    .execute();
}
