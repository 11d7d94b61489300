import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { newSecretToken } from "../secrets/secret-token.ts";

export interface NewSession {
  brandId: string;
  memberId: string;
  address: string | null;
  userAgent: string | null;
  now: Date;
  expiresAt: Date;
  /** When the member last proved who they are; by default `now`. A session that replaces another keeps its time. */
  authenticatedAt?: Date;
}

/** Opens a session and returns its token, or null for a member who is suspended or not of this brand. */
export async function insertSession(
  db: Db | Trx,
  { brandId, memberId, address, userAgent, now, expiresAt, authenticatedAt = now }: NewSession,
): Promise<string | null> {
  const token = newSecretToken();
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("member_sessions")
    .columns([
      "id",
      "brand_id",
      "member_id",
      "token",
      "expires_at",
      "ip_address",
      "user_agent",
      "created_at",
      "authenticated_at",
    ])
    .expression((query) =>
      query
        .selectFrom("members")
        .select(({ val, ref }) => [
          sql<string>`${newId()}::uuid`.as("id"),
          ref("members.brand_id").as("brand_id"),
          ref("members.id").as("member_id"),
          val(token).as("token"),
          sql<Date>`${expiresAt}::timestamptz`.as("expires_at"),
          val(address).as("ip_address"),
          val(userAgent).as("user_agent"),
          sql<Date>`${now}::timestamptz`.as("created_at"),
          sql<Date>`${authenticatedAt}::timestamptz`.as("authenticated_at"),
        ])
        .where("id", "=", memberId)
        .where("brand_id", "=", brandId)
        .where("suspended_at", "is", null),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n ? token : null;
}

export interface SessionMember {
  id: string;
  sessionId: string;
  name: string;
  email: string;
  verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
  /** When the member last proved who they are in this session. */
  authenticatedAt: Date;
}

/**
 * Returns the member of an open session of this brand, or null if the session is unknown, expired or another brand's
 * (B4), or the member is suspended. One indexed statement, planned once per connection, because it runs on every
 * request of a member.
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

/**
 * Ends the session with this token if it is this brand's; sessions of other brands are out of reach (B4). Returns
 * whether there was one.
 */
export async function endSession(
  db: Db | Trx,
  { brandId, token }: { brandId: string; token: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("member_sessions")
    .where("token", "=", token)
    .where("brand_id", "=", brandId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes expired sessions; run by a regular job. Returns the number of removed rows. */
export async function forgetExpiredSessions(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("member_sessions").where("expires_at", "<", now).executeTakeFirst();
  return Number(numDeletedRows);
}
