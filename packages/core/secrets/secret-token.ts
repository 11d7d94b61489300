import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Returns a new secret token: random bits as base64url, 43 characters for 256 bits. Use 256 bits for what opens an
 * account, a session or money, and no fewer than 128 for anything else. RFC 6749 section 10.10 requires a chance of
 * guessing of at most 2^-128, and recommends 2^-160. `bits` is a multiple of 8.
 */
export function newSecretToken(bits = 256): string {
  if (bits < 128 || bits % 8 !== 0)
    throw new RangeError(`A secret token has at least 128 bits, in whole bytes: ${bits}`);
  return randomBytes(bits / 8).toString("base64url");
}

/**
 * Returns the hash under which a token is stored, for a `bytea` column: SHA-256, 32 bytes, without a salt. Tokens are
 * random, so there is no dictionary to try and a slow hash would protect nothing (NIST SP 800-63B section 5.1.2.2 sets
 * the limit at 112 bits of entropy). Passwords are hashed with Argon2 instead.
 */
export function hashSecretToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Returns the same hash for a `text` column: base64url, 43 characters. */
export function hashSecretTokenAsText(token: string): string {
  return hash("sha256", token, "base64url");
}

/**
 * Returns whether two secrets are equal, in constant time. Hashes of both are compared, so neither where they differ
 * nor how long the expected one is can be measured from outside.
 */
export function isSameSecret(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}
