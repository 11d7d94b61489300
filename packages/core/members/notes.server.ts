import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";

export const noteSchema = z.string().trim().min(1, "Write the note first.").max(2000, "Use at most 2,000 characters.");

/** Writes a note for other operators. The member gets it in the copy of their data. */
export async function writeNote(
  db: Db,
  { brandId, memberId, by, text, now }: { brandId: string; memberId: string; by: string; text: string; now: Date },
): Promise<void> {
  await db
    .insertInto("member_notes")
    .values({ id: newId(), brand_id: brandId, member_id: memberId, written_by: by, text, created_at: now })
    .execute();
}

export function findNotes(
  db: Db,
  { memberId }: { memberId: string },
): Promise<{ id: string; by: string; text: string; at: Date }[]> {
  return db
    .selectFrom("member_notes")
    .select(["id", "written_by as by", "text", "created_at as at"])
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .limit(100)
    .execute();
}
