import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** The current key, followed by earlier ones that older secrets were encrypted with. */
export type SecretKeys = readonly [string, ...string[]];

/**
 * Encrypts a member's secret at rest with AES-256-GCM and a random 96-bit IV (NIST SP 800-38D). The member's id is
 * authenticated data, so the text can't be decrypted from another member's row.
 */
export function sealSecret(text: string, { memberId, keys }: { memberId: string; keys: SecretKeys }): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keys[0]), iv).setAAD(Buffer.from(memberId));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

/** Decrypts a member's secret. @throws Error if it was not encrypted for this member with one of the keys */
export function openSecret(sealed: string, { memberId, keys }: { memberId: string; keys: SecretKeys }): string {
  const bytes = Buffer.from(sealed, "base64url");
  for (const key of keys) {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(key), bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(memberId))
      .setAuthTag(bytes.subarray(12, 28));
    const text = decipher.update(bytes.subarray(28));
    try {
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      // Encrypted with another key.
    }
  }
  throw new Error("A member's secret was encrypted with a key that is not known: add that key to FARTHING_OLD_SECRETS");
}

function keyOf(key: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "farthing", "sealed-secret", 32));
}
