import { randomBytes } from "node:crypto";
import { hashSecretToken, isSameSecret, newSecretToken } from "../secrets/secret-token.ts";

/**
 * A partner's API key: "fpk_", 8 characters that find it, and 32 random bytes that prove it. People see the prefix; the whole is shown once.
 */
const wellFormed = /^fpk_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;
const letters = "abcdefghijklmnopqrstuvwxyz234567";

export interface NewApiKey {
  /** The whole key, to be shown once. */
  key: string;
  prefix: string;
  hash: Buffer;
}

export function makeApiKey(): NewApiKey {
  const prefix = [...randomBytes(8)].map((byte) => letters[byte & 31]).join("");
  return describeApiKey(`fpk_${prefix}_${newSecretToken()}`);
}

/** What is kept of a key. @throws TypeError for text that is no key. */
export function describeApiKey(key: string): NewApiKey {
  const prefix = prefixOfApiKey(key);
  if (prefix === null) throw new TypeError("This is no partner API key: fpk_<8 characters>_<43 characters>.");
  return { key, prefix, hash: hashSecretToken(key) };
}

/** The part that finds a key, or null where the text has not a key's form. */
export function prefixOfApiKey(text: string): string | null {
  return wellFormed.exec(text)?.[1] ?? null;
}

/** Whether `key` is the one that was hashed; takes the same time wherever it differs. */
export function isApiKey(key: string, hash: Buffer): boolean {
  return isSameSecret(hashSecretToken(key), hash);
}
