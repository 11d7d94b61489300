import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";

export interface SessionMember {
  id: string;
  sessionId: string;
  name: string;
  email: string;
  verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
  /** When they last proved in this session who they are. */
  authenticatedAt: Date;
}

/**
 * The member of a live session of this brand, or null: unknown, expired, another brand's (B4), or the member is suspended. One indexed
 * statement, planned once per connection, because it runs on every request of a member.
 */
export async function findSessionMember(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<SessionMember | null> {
  const { rows } = await sql<SessionMember>`${keepPlan}
    select member.id, session.id as "sessionId", member.name, member.email, member.verification,
      session.authenticated_at as "authenticatedAt"
    from member_sessions session
    join members member on member.id = session.member_id and member.brand_id = session.brand_id
    where session.token = ${token} and session.brand_id = ${brandId}
      and session.expires_at > ${now} and member.suspended_at is null`.execute(db);
  return rows[0] ?? null;
}
