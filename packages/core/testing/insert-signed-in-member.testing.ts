import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { insertMember, type NewMember } from "./insert-member.testing.ts";

/** Seven days after the clock of tests that use the catalogue (`NOW` in catalogue.testing.ts). */
const SESSION_ENDS = new Date("2026-11-27T12:00:00Z");

/** Inserts a member as `insertMember` does, with a session that ends a week after `NOW`. */
export async function insertSignedInMember(db: Db, member: NewMember): Promise<{ id: string; sessionId: string }> {
  const { id } = await insertMember(db, member);
  const sessionId = newId();
  await db
    .insertInto("member_sessions")
    .values({
      id: sessionId,
      brand_id: member.brandId,
      member_id: id,
      token: randomBytes(8).toString("hex"),
      expires_at: SESSION_ENDS,
    })
    .execute();
  return { id, sessionId };
}
