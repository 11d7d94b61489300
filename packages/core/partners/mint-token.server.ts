import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { findApiKey, minuteOf, secondsToNextMinute, type ApiCaller } from "./find-api-key.server.ts";
import type { FixedPrice } from "./fixed-price.ts";
import type { Order, OrderPayment } from "./order.ts";
import { signToken, TOKEN_LIFETIME_MS, type TokenClaims } from "./token.ts";

interface Mint {
  origin: string;
  reference: string | null;
  /** Key that signs the token. */
  signingKey: string;
  now: Date;
}

/** What is needed to mint a token that may have a price. */
export interface PricedMint extends Mint {
  caller: ApiCaller;
  /** With a price, its reference is the token's. */
  price: FixedPrice | null;
  /** Returns the payment by which an order that is paid once is paid or being paid; null: none. */
  findOrderPayment(db: Db, order: Order): Promise<OrderPayment | null>;
}

export interface MintArguments extends Mint {
  /** The API key as the partner sent it; any text. */
  apiKey: string;
}

export type MintOutcome =
  | { outcome: "minted"; token: string; claims: TokenClaims; expiresAt: Date }
  /** An unknown or revoked key; the caller is not told which. */
  | { outcome: "unknown-key" }
  | { outcome: "suspended" }
  | { outcome: "origin-not-allowed" }
  | { outcome: "slow-down"; retryAfterSeconds: number }
  /** The reference is an order that is paid once, and it is paid or being paid. */
  | { outcome: "already-paid"; payment: OrderPayment };

/** Mints a token without a price, with an API key (W9, W10). */
export async function mintToken(db: Db, { apiKey, ...mint }: MintArguments): Promise<MintOutcome> {
  const caller = await findApiKey(db, { apiKey });
  return caller
    ? mintTokenFor(db, { caller, price: null, findOrderPayment: async () => null, ...mint })
    : { outcome: "unknown-key" };
}

/**
 * Mints a token for one visitor of a partner (W9, W10): signed, valid for a minute, for one of the partner's
 * own origins. Its id becomes the id of the session that it opens.
 */
export async function mintTokenFor(
  db: Db,
  { caller, origin, reference, price, findOrderPayment, signingKey, now }: PricedMint,
): Promise<MintOutcome> {
  const { partnerId, mode } = caller;
  if (caller.isSuspended) return { outcome: "suspended" };
  if (!(await isAllowed(db, { partnerId, origin }))) return { outcome: "origin-not-allowed" };
  if ((await countMint(db, { partnerId, now })) > caller.perMinute)
    return { outcome: "slow-down", retryAfterSeconds: secondsToNextMinute(now) };
  const order = price?.isOnce ? { partnerId, mode, reference: price.reference } : null;
  const payment = order && (await findOrderPayment(db, order));
  if (payment) return { outcome: "already-paid", payment };

  const claims: TokenClaims = {
    id: newId(),
    partnerId,
    origin,
    expiresAt: new Date(now.getTime() + TOKEN_LIFETIME_MS),
    isAgreed: price !== null || mode === "test",
    isOnce: price?.isOnce ?? false,
  };
  await db
    .insertInto("partner_tokens")
    .values({
      id: claims.id,
      partner_id: partnerId,
      api_key_id: caller.apiKeyId,
      mode,
      origin,
      reference: price?.reference ?? reference,
      amount_pence: price?.amountPence ?? null,
      description: price?.description ?? null,
      email: price?.email ?? null,
      once_per_reference: price?.isOnce ?? false,
      minted_at: now,
      expires_at: claims.expiresAt,
    })
    .execute();
  return { outcome: "minted", token: signToken(signingKey, claims), claims, expiresAt: claims.expiresAt };
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

async function isAllowed(db: Db, { partnerId, origin }: { partnerId: string; origin: string }): Promise<boolean> {
  const found = await db
    .selectFrom("partner_origins")
    .select("origin")
    .where("partner_id", "=", partnerId)
    .where("origin", "=", origin)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Counts a token in one statement, so that concurrent requests are all counted. A process whose clock is behind does
 * not restart the minute.
 */
async function countMint(db: Db, { partnerId, now }: { partnerId: string; now: Date }): Promise<number> {
  const { rows } = await sql<{ mints: number }>`
    insert into partner_mints as counted (partner_id, minute, mints) values (${partnerId}, ${minuteOf(now)}, 1)
    on conflict (partner_id) do update set
      mints = case when counted.minute >= excluded.minute then counted.mints + 1 else 1 end,
      minute = greatest(counted.minute, excluded.minute)
    returning mints`.execute(db);
  return rows[0]?.mints ?? 0;
}
