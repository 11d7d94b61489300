/**
 * The reveal_code token of an offer page (product.md O3, Y5): a CSRF token that lives in a URL, so it is worth little. It holds for 15
 * minutes, for one session and one offer, and for one reveal (code_reveals keeps its hash). It is stateless: nothing is stored
 * until it is spent.
 *
 * Bytes, as base64url: 6 of the time it was issued (milliseconds), 16 random, 32 of HMAC that bind it to session and offer, 32 of HMAC over all of
 * that. The outer one tells a token of ours from an invention; the inner one whose it is.
 */
import { createHmac, randomBytes } from "node:crypto";
import { hashSecretToken, isSameSecret } from "../secrets/secret-token.ts";

export const REVEAL_TOKEN_LIFETIME_MS = 15 * 60_000;
/** Servers' clocks may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;
const TOKEN_BYTES = HEAD_BYTES + 2 * MAC_BYTES;
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3);

export interface RevealTokenArguments {
  /** Key of the HMAC; the server's revealSecret. */
  secret: string;
  sessionId: string;
  /** The offer's internal id (OfferPage.id). */
  offerId: string;
  now: Date;
}

/** A token for the form of this session's page of this offer; every call gives another. */
export function issueRevealToken({ secret, sessionId, offerId, now }: RevealTokenArguments): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(now.getTime(), 0, TIME_BYTES);
  randomBytes(NONCE_BYTES).copy(head, TIME_BYTES);
  const bound = Buffer.concat([head, bind(secret, head, sessionId, offerId)]);
  return Buffer.concat([bound, seal(secret, bound)]).toString("base64url");
}

export type RevealTokenCheck = "valid" | "invalid" | "stale" | "foreign";

/**
 * Whether a token (any text from a URL) is ours, still fresh, and this session's for this offer. Whether it has been spent is for the database to say.
 * Comparisons take the same time wherever they differ.
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

/** What is kept of a spent token: enough to know it again, useless to whoever reads the table. */
export function hashRevealToken(token: string): string {
  return hashSecretToken(token).toString("hex");
}

/** One spelling per token: anything that does not encode back to itself would be a second token with the same worth. */
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
