/**
 * The token that a partner's server fetches for one visitor (W9). It travels in the frame's address, so its power is
 * limited: one minute, one exchange, one partner, one origin. It is signed, so that its content can be trusted before
 * the database is read; `partner_tokens` makes it single-use.
 *
 * Format: base64url of a JSON array [version, id, partner id, origin, expiry in ms], a dot, and base64url of
 * its HMAC-SHA-256.
 */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSameSecret } from "../secrets/secret-token.ts";

export const TOKEN_LIFETIME_MS = 60_000;
/**
 * Version 2 is a token with a fixed price or of test mode, version 3 one of an order that is paid once. All of it is in the row: a
 * process of an older version, which does not know of it, refuses the token.
 */
const VERSIONS = { free: 1, agreed: 2, once: 3 } as const;
const MAX_LENGTH = 1024;

export interface TokenClaims {
  /** Id of the row in partner_tokens. */
  id: string;
  partnerId: string;
  /** Origin of the page that may hold the frame. */
  origin: string;
  expiresAt: Date;
  /** Whether its row has a price or test mode. */
  isAgreed?: boolean;
  /** Whether its row has a price that is paid once. */
  isOnce?: boolean;
}

const claimsSchema = z.tuple([
  z.union([z.literal(VERSIONS.free), z.literal(VERSIONS.agreed), z.literal(VERSIONS.once)]),
  z.uuid(),
  z.uuid(),
  z.string().min(1),
  z.number().int().positive(),
]);

/** Returns the token's text. `key` is derived from the server's secret for this purpose only. */
export function signToken(key: string, { id, partnerId, origin, expiresAt, ...kind }: TokenClaims): string {
  const version = kind.isOnce ? VERSIONS.once : kind.isAgreed ? VERSIONS.agreed : VERSIONS.free;
  const body = Buffer.from(JSON.stringify([version, id, partnerId, origin, expiresAt.getTime()])).toString("base64url");
  return `${body}.${macOf(key, body)}`;
}

/**
 * Returns the content of a token if the signature is ours, else null. The caller checks whether it is expired or spent.
 */
export function readToken(key: string, token: string | null): TokenClaims | null {
  if (token === null || token.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const dot = token.indexOf(".");
  const body = token.slice(0, dot);
  // Compared as text, because another spelling of the same bytes would be a second token.
  if (!isSameSecret(token.slice(dot + 1), macOf(key, body))) return null;
  const parsed = claimsSchema.safeParse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
  if (!parsed.success) return null;
  const [, id, partnerId, origin, expiry] = parsed.data;
  return { id, partnerId, origin, expiresAt: new Date(expiry) };
}

function macOf(key: string, body: string): string {
  return createHmac("sha256", key).update("farthing partner token\0").update(body).digest("base64url");
}
