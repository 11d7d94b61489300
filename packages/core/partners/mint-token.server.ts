import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { isApiKey, prefixOfApiKey } from "./api-key.ts";
import { signToken, TOKEN_LIFETIME_MS } from "./token.ts";

export interface MintArguments {
  /** The API key as the partner sent it; any text. */
  apiKey: string;
  origin: string;
  reference: string | null;
  /** Key that signs the token. */
  signingKey: string;
  now: Date;
}

export type MintOutcome =
  | { outcome: "minted"; token: string; expiresAt: Date }
  /** An unknown or revoked key; the caller is not told which. */
  | { outcome: "unknown-key" }
  | { outcome: "suspended" }
  | { outcome: "origin-not-allowed" }
  | { outcome: "slow-down"; retryAfterSeconds: number };

/**
 * Mints a token for one visitor of a partner (W9, W10): signed, valid for a minute, for one of the partner's
 * own origins.
 */
export async function mintToken(db: Db, mint: MintArguments): Promise<MintOutcome> {
  const { origin, reference, signingKey, now } = mint;
  const key = await findKey(db, mint);
  if (!key) return { outcome: "unknown-key" };
  if (key.suspendedAt !== null) return { outcome: "suspended" };
  if (!key.isOriginAllowed) return { outcome: "origin-not-allowed" };
  if ((await countMint(db, { partnerId: key.partnerId, now })) > key.mintsPerMinute)
    return { outcome: "slow-down", retryAfterSeconds: Math.max(1, 60 - now.getUTCSeconds()) };

  const claims = {
    id: newId(),
    partnerId: key.partnerId,
    origin,
    expiresAt: new Date(now.getTime() + TOKEN_LIFETIME_MS),
  };
  await db
    .insertInto("partner_tokens")
    .values({
      id: claims.id,
      partner_id: key.partnerId,
      api_key_id: key.id,
      origin,
      reference,
      minted_at: now,
      expires_at: claims.expiresAt,
    })
    .execute();
  return { outcome: "minted", token: signToken(signingKey, claims), expiresAt: claims.expiresAt };
}

/** Returns whether a key, as the partner sent it, is one in use. */
export async function isKeyInUse(db: Db, { apiKey }: Pick<MintArguments, "apiKey">): Promise<boolean> {
  return (await findKey(db, { apiKey, origin: "" })) !== null;
}

/**
 * Removes tokens an hour after they expire; until then a replayed token is told apart from an invented one. Run by a
 * regular job. Returns the number of removed rows.
 */
export async function forgetOldTokens(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("partner_tokens")
    .where("expires_at", "<", new Date(now.getTime() - 60 * 60_000))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

interface FoundKey {
  id: string;
  hash: Buffer;
  partnerId: string;
  suspendedAt: Date | null;
  mintsPerMinute: number;
  isOriginAllowed: boolean;
}

async function findKey(db: Db, { apiKey, origin }: Pick<MintArguments, "apiKey" | "origin">): Promise<FoundKey | null> {
  const prefix = prefixOfApiKey(apiKey);
  if (prefix === null) return null;
  const { rows } = await sql<FoundKey>`
    select k.id, k.key_hash as hash, p.id as "partnerId", p.suspended_at as "suspendedAt", p.mints_per_minute as "mintsPerMinute",
      exists (select from partner_origins o where o.partner_id = p.id and o.origin = ${origin}) as "isOriginAllowed"
    from partner_api_keys k join partners p on p.id = k.partner_id
    where k.prefix = ${prefix} and k.revoked_at is null`.execute(db);
  const found = rows[0];
  return found && isApiKey(apiKey, found.hash) ? found : null;
}

/**
 * Counts a token in one statement, so that concurrent requests are all counted. A process whose clock is behind does
 * not restart the minute.
 */
async function countMint(db: Db, { partnerId, now }: { partnerId: string; now: Date }): Promise<number> {
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  const { rows } = await sql<{ mints: number }>`
    insert into partner_mints as counted (partner_id, minute, mints) values (${partnerId}, ${minute}, 1)
    on conflict (partner_id) do update set
      mints = case when counted.minute >= excluded.minute then counted.mints + 1 else 1 end,
      minute = greatest(counted.minute, excluded.minute)
    returning mints`.execute(db);
  return rows[0]?.mints ?? 0;
}
