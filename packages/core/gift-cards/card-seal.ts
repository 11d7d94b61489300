import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import type { IssuedCard } from "./issuer.ts";

/** What a shop needs of a card. */
export type CardSecrets = Pick<IssuedCard, "code" | "pin" | "url" | "barcode">;

/** Thrown for a card that can't be decrypted: another line's, changed, or of a key that is not known. */
export class UnreadableCardError extends Error {}

const secretsSchema = z.object({
  code: z.string().min(1),
  pin: z.string().nullable(),
  url: z.string().nullable(),
  barcode: z.object({ kind: z.string(), value: z.string() }).nullable(),
});

/**
 * Encrypts a card at rest with AES-256-GCM (NIST SP 800-38D, random 96-bit IV): `<key id>.<IV, tag and text>`. The line's
 * id is authenticated data, so the text can't be decrypted from another line's row.
 */
export function sealCard({ code, pin, url, barcode }: CardSecrets, lineId: string, keys: SecretKeys): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(keys[0]), iv).setAAD(boundTo(lineId));
  const body = Buffer.concat([cipher.update(JSON.stringify({ code, pin, url, barcode }), "utf8"), cipher.final()]);
  return `${cardKeyId(keys)}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** Decrypts a card. @throws UnreadableCardError that says what to do, and holds nothing of the card */
export function openCard(sealed: string, lineId: string, keys: SecretKeys): CardSecrets {
  const [id, text = ""] = sealed.split(".");
  const key = keys.find((known) => keyId(known) === id);
  if (key === undefined)
    throw new UnreadableCardError(
      `The card was encrypted with the key ${/^\w{8}$/.test(id ?? "") ? id : "?"}, which is not known: add its secret to FARTHING_OLD_SECRETS.`,
    );
  try {
    const bytes = Buffer.from(text, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", cipherKey(key), bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(boundTo(lineId))
      .setAuthTag(bytes.subarray(12, 28));
    const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    return secretsSchema.parse(JSON.parse(plain));
  } catch {
    throw new UnreadableCardError("The card was changed or is another line's: restore the row from a backup.");
  }
}

/** Returns the id of the key that cards are encrypted with now. */
export function cardKeyId([key]: SecretKeys): string {
  return keyId(key);
}

/** Returns the keyed hash by which a buyer's orders are counted without keeping the address. */
export function markOfBuyer(email: string, [key]: SecretKeys): Buffer {
  const markKey = Buffer.from(hkdfSync("sha256", key, "farthing", "gift-card-buyer", 32));
  return createHmac("sha256", markKey).update(email.trim().toLowerCase()).digest();
}

function keyId(key: string): string {
  return hash("sha256", `gift-cards key id\n${key}`, "hex").slice(0, 8);
}

function cipherKey(key: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "farthing", "gift-card", 32));
}

function boundTo(lineId: string): Buffer {
  return Buffer.from(`gift card of ${lineId}`);
}
