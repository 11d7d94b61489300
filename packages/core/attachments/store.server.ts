import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { partCipher } from "./cipher.ts";
import type { ReceivedFile } from "./rules.ts";

/** What an attachment belongs to: proof of membership, or a claim. */
export type AttachmentSubject = { requestId: string } | { claimId: string };

export type AttachmentOwner = AttachmentSubject & {
  brandId: string;
  memberId: string;
};

/** Stores a file encrypted, part by part, in the caller's transaction. */
export async function storeAttachment(
  trx: Trx,
  { owner, file, key, now }: { owner: AttachmentOwner; file: ReceivedFile; key: string; now: Date },
): Promise<void> {
  const id = newId();
  await trx
    .insertInto("attachments")
    .values({
      id,
      brand_id: owner.brandId,
      member_id: owner.memberId,
      ...("requestId" in owner ? { request_id: owner.requestId } : { claim_id: owner.claimId }),
      original_name: file.originalName,
      media_type: file.mediaType,
      size: file.size,
      sha256: file.sha256,
      received_at: now,
    })
    .execute();
  const cipher = partCipher(key, id);
  const add = (bytes: Uint8Array, position: number, isLast: boolean) =>
    trx
      .insertInto("attachment_parts")
      .values({ attachment_id: id, position, bytes: cipher.encrypt(bytes, { position, isLast }) })
      .execute();
  let held: Uint8Array | null = null;
  let position = 0;
  for await (const part of file.parts()) {
    if (held) await add(held, position++, false);
    held = part;
  }
  if (held === null) throw new RangeError("An attachment must not be empty");
  await add(held, position, true);
}

/** The current encryption key, followed by earlier ones, so that a new secret of the deployment loses no files. */
export interface AttachmentKeys {
  key: string;
  oldKeys?: readonly string[];
}

export interface OpenedAttachment {
  originalName: string;
  mediaType: string;
  size: number;
  parts(): AsyncGenerator<Buffer<ArrayBuffer>>;
}

/** Returns the attachment with this public id if it belongs to this member of this brand (B4, S1); otherwise null. */
export async function openOwnAttachment(
  db: Db,
  { publicId, memberId, brandId, ...keys }: { publicId: string; memberId: string; brandId: string } & AttachmentKeys,
): Promise<OpenedAttachment | null> {
  const row = await attachments(db)
    .where("public_id", "=", publicId)
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .executeTakeFirst();
  return row ? opened(db, row, keys) : null;
}

/** Returns the attachment of a request, for operators. */
export async function openAttachmentOfRequest(
  db: Db,
  { requestId, ...keys }: { requestId: string } & AttachmentKeys,
): Promise<OpenedAttachment | null> {
  const row = await attachments(db).where("request_id", "=", requestId).executeTakeFirst();
  return row ? opened(db, row, keys) : null;
}

/** Returns the attachment of a claim with this public id, for operators. */
export async function openAttachmentOfClaim(
  db: Db,
  { claimId, publicId, ...keys }: { claimId: string; publicId: string } & AttachmentKeys,
): Promise<OpenedAttachment | null> {
  const row = await attachments(db)
    .where("claim_id", "=", claimId)
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  return row ? opened(db, row, keys) : null;
}

function attachments(db: Db) {
  return db.selectFrom("attachments").select(["id", "original_name", "media_type", "size"]);
}

interface Row {
  id: string;
  original_name: string;
  media_type: string;
  size: number;
}

async function opened(db: Db, row: Row, { key, oldKeys = [] }: AttachmentKeys): Promise<OpenedAttachment> {
  const { count } = await db
    .selectFrom("attachment_parts")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("attachment_id", "=", row.id)
    .executeTakeFirstOrThrow();
  const ciphers = [key, ...oldKeys].map((each) => partCipher(each, row.id));
  const decrypt = (bytes: Buffer, place: { position: number; isLast: boolean }) => {
    for (const cipher of ciphers.slice(0, -1)) {
      try {
        return cipher.decrypt(bytes, place);
      } catch {
        // Encrypted with another key.
      }
    }
    return ciphers[ciphers.length - 1]?.decrypt(bytes, place) ?? Buffer.alloc(0);
  };
  const partAt = (position: number) =>
    db
      .selectFrom("attachment_parts")
      .select("bytes")
      .where("attachment_id", "=", row.id)
      .where("position", "=", position)
      .executeTakeFirst();
  return {
    originalName: row.original_name,
    mediaType: row.media_type,
    size: row.size,
    async *parts() {
      for (let position = 0; position < count; position++) {
        const part = await partAt(position);
        if (!part) throw new Error("An attachment was deleted while it was read");
        yield decrypt(part.bytes, { position, isLast: position === count - 1 });
      }
    },
  };
}

/** Sets when the files of a request or a claim may be deleted; called by its decision. */
export async function scheduleDeletion(
  trx: Trx,
  { why, at, ...subject }: AttachmentSubject & { why: "decided" | "replaced"; at: Date },
): Promise<void> {
  const [column, id] =
    "requestId" in subject ? (["request_id", subject.requestId] as const) : (["claim_id", subject.claimId] as const);
  await trx.updateTable("attachments").set({ delete_after: at, deleted_why: why }).where(column, "=", id).execute();
}

/** Deletes due files; a trigger records each in attachment_deletions. Returns how many. */
export async function deleteDueAttachments(db: Db, { now, max = 50 }: { now: Date; max?: number }): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .updateTable("attachments")
      .set({ deleted_at: now })
      .where("id", "in", (eb) =>
        eb
          .selectFrom("attachments")
          .select("id")
          .where("delete_after", "<=", now)
          .orderBy("delete_after")
          .limit(max)
          .forUpdate()
          .skipLocked(),
      )
      .returning("id")
      .execute();
    if (due.length === 0) return 0;
    await trx
      .deleteFrom("attachments")
      .where(
        "id",
        "in",
        due.map(({ id }) => id),
      )
      .execute();
    return due.length;
  });
}
