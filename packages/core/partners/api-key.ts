import { randomBytes } from "node:crypto";
import type { PartnerMode } from "./mode.ts";
import { hashSecretToken, isSameSecret, newSecretToken } from "../secrets/secret-token.ts";

/**
 * A partner's API key: "fpk_" or "fpk_test_", 8 characters (40 random bits) that find it, and 256 random bits that prove
 * it. Operators see the prefix; the whole key is shown once. "test" tells people what the key is; its row decides.
 */
const WELL_FORMED = /^fpk_(test_)?([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

export interface NewApiKey {
  /** The whole key, to be shown once. */
  key: string;
  prefix: string;
  hash: Buffer;
  mode: PartnerMode;
}

/** Returns a new key with what is stored of it. */
export function makeApiKey(mode: PartnerMode): NewApiKey {
  const prefix = [...randomBytes(8)].map((byte) => LETTERS[byte & 31]).join("");
  return describeApiKey(`fpk_${mode === "test" ? "test_" : ""}${prefix}_${newSecretToken()}`);
}

/** Returns what is stored of a key. @throws TypeError for text that is no key */
export function describeApiKey(key: string): NewApiKey {
  const prefix = prefixOfApiKey(key);
  if (prefix === null)
    throw new TypeError("This is not a partner API key; expected fpk_<8 characters>_<43 characters>, or fpk_test_….");
  return { key, prefix, hash: hashSecretToken(key), mode: WELL_FORMED.exec(key)?.[1] ? "test" : "live" };
}

/** Returns the part of a key that finds it, or null if the text does not have a key's form. */
export function prefixOfApiKey(text: string): string | null {
  return WELL_FORMED.exec(text)?.[2] ?? null;
}

/** Returns whether `key` has this hash, in constant time. */
export function isApiKey(key: string, hash: Buffer): boolean {
  return isSameSecret(hashSecretToken(key), hash);
}

/**
 * Returns the prefix of a key however an operator writes it: the prefix alone, as a list shows it ("fpk_loogkhwf_…"), or the
 * whole key. Any other text is returned as it is, and finds no key.
 */
export function readKeyPrefix(typed: string): string {
  return /^(?:fpk_)?(?:test_)?([a-z0-9]{8})(?:_.*)?$/.exec(typed)?.[1] ?? typed;
}
