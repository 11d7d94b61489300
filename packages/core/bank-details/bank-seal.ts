import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import type { BankAccount } from "./bank-account.ts";

/** Thrown for details that can't be decrypted: another member's, changed, or of a key that is not known. */
export class UnreadableDetailsError extends Error {}

const accountSchema = z.object({
  name: z.string().min(1),
  sortCode: z.string().regex(/^\d{6}$/),
  accountNumber: z.string().regex(/^\d{8}$/),
});

/**
 * Encrypts bank details at rest with AES-256-GCM (NIST SP 800-38D, random 96-bit IV): `<key id>.<IV, tag and text>`. The
 * member's id is authenticated data, so the text can't be decrypted from another member's row.
 */
export function sealBankAccount(account: BankAccount, memberId: string, keys: SecretKeys): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(keys[0]), iv).setAAD(boundTo(memberId));
  const body = Buffer.concat([cipher.update(JSON.stringify(account), "utf8"), cipher.final()]);
  return `${keyId(keys[0])}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** Decrypts bank details. @throws UnreadableDetailsError that says what to do, and holds none of the details */
export function openBankAccount(sealed: string, memberId: string, keys: SecretKeys): BankAccount {
  const [id, text = ""] = sealed.split(".");
  const key = keys.find((known) => keyId(known) === id);
  if (key === undefined)
    throw new UnreadableDetailsError(
      `The bank details were encrypted with the key ${/^\w{8}$/.test(id ?? "") ? id : "?"}, which is not known: add its secret to FARTHING_OLD_SECRETS.`,
    );
  try {
    const bytes = Buffer.from(text, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", cipherKey(key), bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(boundTo(memberId))
      .setAuthTag(bytes.subarray(12, 28));
    const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    return accountSchema.parse(JSON.parse(plain));
  } catch {
    throw new UnreadableDetailsError(
      "The bank details were changed or are another member's: the member has to give them again.",
    );
  }
}

/** Returns the keyed hash by which two members' accounts are compared without decrypting either. */
export function markOfAccount({ sortCode, accountNumber }: BankAccount, keys: SecretKeys): Buffer {
  const key = Buffer.from(hkdfSync("sha256", keys[0], "farthing", "bank-account-mark", 32));
  return createHmac("sha256", key).update(`${sortCode}${accountNumber}`).digest();
}

function keyId(key: string): string {
  return hash("sha256", `bank-details key id\n${key}`, "hex").slice(0, 8);
}

function cipherKey(key: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "farthing", "bank-details", 32));
}

function boundTo(memberId: string): Buffer {
  return Buffer.from(`bank details of ${memberId}`);
}
