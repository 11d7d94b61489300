import { createHash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { keyIndexOf, rotateInBatches, type SealedColumn } from "../secrets/rotation.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { partCipher } from "./cipher.ts";

/** Attachments, whose bytes are encrypted part by part. All parts of one are encrypted again in one transaction. */
export const attachmentParts: SealedColumn = {
  ...{ name: "attachment_parts.bytes", what: "attachments", purpose: "attachment" },
  async look(db, { keys, after, max }) {
    const rows = await readLastParts(db, { after, max });
    return rows.map((row) => ({ id: row.id, keyIndex: keyIndexOf(keys, ([key]) => openPart(row, key)) }));
  },
  rotate: (db, options) =>
    rotateInBatches(db, attachmentParts, options, async (after, unreadable) => {
      const [next] = await readLastParts(db, { after, max: 1 });
      if (!next) return { rotated: 0, last: null };
      const { keys } = options;
      if (keyIndexOf([keys[0]], ([key]) => openPart(next, key)) !== null) return { rotated: 0, last: next.id };
      if (keyIndexOf(keys, ([key]) => openPart(next, key)) === null) {
        unreadable.set(
          next.id,
          "It was changed, or encrypted with a key that is not known: add its secret to FARTHING_OLD_SECRETS.",
        );
        return { rotated: 0, last: next.id };
      }
      try {
        const isRotated = await db.transaction().execute((trx) => rotateOne(trx, next.id, keys));
        return { rotated: isRotated ? 1 : 0, last: next.id };
      } catch (error) {
        if (!(error instanceof OtherContentError)) throw error;
        unreadable.set(next.id, error.message);
        return { rotated: 0, last: next.id };
      }
    }),
};

/** Thrown where what was decrypted is not what the member sent. */
class OtherContentError extends Error {}

interface Part {
  id: string;
  position: number;
  bytes: Buffer;
  isLast: boolean;
}

function openPart({ id, position, bytes, isLast }: Part, key: string): Buffer {
  return partCipher(key, id).decrypt(bytes, { position, isLast });
}

/** The last part tells the key of all: the shortest, and all have the same. */
async function readLastParts(db: Db, { after, max }: { after: string | null; max: number }): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select attachment.id, part.position, part.bytes, true as "isLast"
    from attachments attachment cross join lateral (
      select position, bytes from attachment_parts where attachment_id = attachment.id order by position desc limit 1) part
    where ${after === null ? sql`true` : sql`attachment.id > ${after}`}
    order by attachment.id limit ${max}`.execute(db);
  return rows;
}

/** Returns false for an attachment that another transaction holds, or that is gone. @throws OtherContentError; nothing is changed then */
async function rotateOne(trx: Trx, id: string, keys: SecretKeys): Promise<boolean> {
  const { rows } = await sql<{ sha256: Buffer; last: number }>`
    select sha256, (select max(position) from attachment_parts where attachment_id = attachments.id) as last
    from attachments where id = ${id} for no key update skip locked`.execute(trx);
  const [attachment] = rows;
  if (!attachment) return false;
  const cipher = partCipher(keys[0], id);
  const content = createHash("sha256");
  for (let position = 0; position <= attachment.last; position += 1) {
    const stored = await trx
      .selectFrom("attachment_parts")
      .select("bytes")
      .where("attachment_id", "=", id)
      .where("position", "=", position)
      .executeTakeFirst();
    if (!stored) throw new OtherContentError("A part of it is missing: restore it from a backup.");
    const part = { id, position, bytes: stored.bytes, isLast: position === attachment.last };
    const keyIndex = keyIndexOf(keys, ([key]) => openPart(part, key));
    if (keyIndex === null) throw new OtherContentError("A part of it was changed: restore it from a backup.");
    const plain = openPart(part, keys[keyIndex] ?? keys[0]);
    content.update(plain);
    const fresh = cipher.encrypt(plain, part);
    await trx
      .updateTable("attachment_parts")
      .set({ bytes: fresh })
      .where("attachment_id", "=", id)
      .where("position", "=", position)
      .execute();
  }
  // The hash was taken of what the member sent: nothing else may replace the only copy.
  if (!content.digest().equals(attachment.sha256))
    throw new OtherContentError("It is not what was received: restore it from a backup.");
  return true;
}
