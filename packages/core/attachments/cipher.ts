import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Identifies a part of an attachment: the attachment, the part's number, and whether it is the last, so that parts
 * can't be swapped, dropped or moved.
 */
export interface PartPlace {
  attachmentId: string;
  position: number;
  isLast: boolean;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns functions that encrypt and decrypt parts with AES-256-GCM, under a key derived for the attachment. `key` is
 * 64 hexadecimal characters (256 bits).
 */
export function partCipher(key: string, attachmentId: string) {
  const own = Buffer.from(hkdfSync("sha256", Buffer.from(key, "hex"), attachmentId, "farthing attachment", 32));
  const context = ({ position, isLast }: Omit<PartPlace, "attachmentId">) =>
    Buffer.from(`${attachmentId} ${position} ${isLast ? "last" : "more"}`);
  return {
    encrypt(plain: Uint8Array, place: Omit<PartPlace, "attachmentId">): Buffer {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", own, iv).setAAD(context(place));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    /** @throws Error if a part was changed, moved, or belongs to another attachment */
    decrypt(sealed: Buffer, place: Omit<PartPlace, "attachmentId">): Buffer<ArrayBuffer> {
      const decipher = createDecipheriv("aes-256-gcm", own, sealed.subarray(0, IV_BYTES)).setAAD(context(place));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}
