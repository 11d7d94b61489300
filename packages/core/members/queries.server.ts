import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

export interface SessionMember {
  id: string;
  sessionId: string;
  name: string;
  email: string;
  verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
}

/**
 * The member of a live session of this brand, or null: unknown, expired, another brand's (B4), or the member is suspended. One indexed
 * statement, because it runs on every request of a member.
 */
export async function findSessionMember(
  db: Db,
  { brandId, token }: { brandId: string; token: string },
): Promise<SessionMember | null> {
  const row = await db
    .selectFrom("member_sessions as session")
    .innerJoin("members as member", "member.id", "session.member_id")
    .select(["member.id", "session.id as sessionId", "member.name", "member.email", "member.verification"])
    .where("session.token", "=", token)
    .where("session.brand_id", "=", brandId)
    .where("member.brand_id", "=", brandId)
    .where("member.suspended_at", "is", null)
    .where("session.expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ? { ...row, verification: row.verification as SessionMember["verification"] } : null;
}
