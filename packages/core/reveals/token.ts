/**
 * The reveal_code token of an offer page (O3, Y5): a CSRF token in a URL, so its power is limited: 15 minutes, one
 * session, one offer, and one reveal (code_reveals has its hash). It is stateless: nothing is stored until it is spent.
 *
 * Bytes, as base64url: 6 of the time of issue (milliseconds), 16 random, 32 of an HMAC that binds it to session and
 * offer, and 32 of an HMAC over everything before. The outer HMAC tells our tokens from invented ones; the inner one
 * shows whose it is.
 */
import { createHmac, randomBytes } from "node:crypto";
import { hashSecretToken, isSameSecret } from "../secrets/secret-token.ts";

export const REVEAL_TOKEN_LIFETIME_MS = 15 * 60_000;
/** Tolerated difference between servers' clocks. */
const CLOCK_SKEW_MS = 60_000;

const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;
const TOKEN_BYTES = HEAD_BYTES + 2 * MAC_BYTES;
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3);

export interface RevealTokenArguments {
  /** Key of the HMACs; the server's revealSecret. */
  secret: string;
  sessionId: string;
  /** The offer's internal id (OfferPage.id). */
  offerId: string;
  now: Date;
}

/** Returns a token for this session's page of this offer; each call returns a new one. */
export function issueRevealToken({ secret, sessionId, offerId, now }: RevealTokenArguments): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(now.getTime(), 0, TIME_BYTES);
  randomBytes(NONCE_BYTES).copy(head, TIME_BYTES);
  const bound = Buffer.concat([head, bind(secret, head, sessionId, offerId)]);
  return Buffer.concat([bound, seal(secret, bound)]).toString("base64url");
}

export type RevealTokenCheck = "valid" | "invalid" | "stale" | "foreign";

/**
 * Returns whether a token (any text from a URL) is ours, fresh, and of this session and offer. The database decides
 * whether it is spent. Comparisons take constant time.
 */
export function checkRevealToken(
  token: string | null,
  { secret, sessionId, offerId, now }: RevealTokenArguments,
): RevealTokenCheck {
  const bytes = decode(token);
  if (!bytes) return "invalid";
  const bound = bytes.subarray(0, HEAD_BYTES + MAC_BYTES);
  if (!isSameSecret(bytes.subarray(HEAD_BYTES + MAC_BYTES), seal(secret, bound))) return "invalid";
  const age = now.getTime() - bytes.readUIntBE(0, TIME_BYTES);
  if (age > REVEAL_TOKEN_LIFETIME_MS || age < -CLOCK_SKEW_MS) return "stale";
  const head = bytes.subarray(0, HEAD_BYTES);
  return isSameSecret(bytes.subarray(HEAD_BYTES, HEAD_BYTES + MAC_BYTES), bind(secret, head, sessionId, offerId))
    ? "valid"
    : "foreign";
}

/** Returns what is stored of a spent token: enough to recognise it, and useless to readers of the table. */
export function hashRevealToken(token: string): string {
  return hashSecretToken(token).toString("hex");
}

/** Decodes a token; null unless it encodes back to itself, because another spelling would be a second token. */
function decode(token: string | null): Buffer | null {
  if (token?.length !== TOKEN_LENGTH) return null;
  const bytes = Buffer.from(token, "base64url");
  return bytes.length === TOKEN_BYTES && bytes.toString("base64url") === token ? bytes : null;
}

function bind(secret: string, head: Buffer, sessionId: string, offerId: string): Buffer {
  return createHmac("sha256", secret)
    .update("farthing reveal binding\0")
    .update(head)
    .update(JSON.stringify([sessionId, offerId]))
    .digest();
}

function seal(secret: string, bound: Buffer): Buffer {
  return createHmac("sha256", secret).update("farthing reveal token\0").update(bound).digest();
}
