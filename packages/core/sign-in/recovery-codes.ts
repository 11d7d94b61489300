import { createHmac, randomInt } from "node:crypto";

export const RECOVERY_CODE_COUNT = 10;

// Without characters that look alike.
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Returns ten codes of about 49.5 random bits each (ten characters of 31), in two groups of five: "7K3MQ-X24TV". */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => `${group()}-${group()}`);
}

/** Returns a typed recovery code in the form that is hashed, or null if it is none. */
export function typedRecoveryCode(text: string): string | null {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return plain.length === 10 ? plain : null;
}

/**
 * Returns the hash under which a code is stored. Some 49 random bits could be searched from a plain hash; the key,
 * which is not in the database, prevents it.
 */
export function recoveryCodeHash(code: string, { memberId, key }: { memberId: string; key: string }): string {
  return createHmac("sha256", key)
    .update(`${memberId}\n${typedRecoveryCode(code) ?? ""}`)
    .digest("base64url");
}
