import { createHmac, randomInt } from "node:crypto";

export const RECOVERY_CODE_COUNT = 10;

// Without characters that look like another.
const letters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Ten codes of fifty random bits, in two groups of five: "7K3MQ-X24TV". */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => `${group()}-${group()}`);
}

/** A recovery code however it was typed, as it is hashed; null for what is none. */
export function typedRecoveryCode(text: string): string | null {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return plain.length === 10 ? plain : null;
}

/** The hash under which a code is kept. Fifty random bits and a key that the database does not have: nobody counts them through. */
export function recoveryCodeHash(code: string, { memberId, key }: { memberId: string; key: string }): string {
  return createHmac("sha256", key)
    .update(`${memberId}\n${typedRecoveryCode(code) ?? ""}`)
    .digest("base64url");
}
