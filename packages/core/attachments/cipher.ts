import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** One part of an attachment: of which one, the how-manieth, and whether the last, so that parts can't be swapped, dropped or moved. */
export interface PartPlace {
  attachmentId: string;
  position: number;
  isLast: boolean;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts parts with AES-256-GCM, under a key of the attachment's own. `key` is 64 hexadecimal characters. */
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
    /** @throws Error where a part was changed, moved or is another attachment's */
    decrypt(sealed: Buffer, place: Omit<PartPlace, "attachmentId">): Buffer<ArrayBuffer> {
      const decipher = createDecipheriv("aes-256-gcm", own, sealed.subarray(0, IV_BYTES)).setAAD(context(place));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}
