import type { Db } from "@farthing/db/client.ts";
import { deviceWords } from "./device-words.ts";
import { endAccess } from "../members/end-access.server.ts";

export interface OpenSession {
  id: string;
  /** Such as "Firefox on Windows". */
  device: string;
  address: string | null;
  since: Date;
}

/** Returns the member's open sessions, newest first, at most 100. */
export async function listSessions(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<OpenSession[]> {
  const rows = await db
    .selectFrom("member_sessions")
    .select(["id", "user_agent", "ip_address", "created_at"])
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device: deviceWords(row.user_agent),
    address: row.ip_address,
    since: row.created_at,
  }));
}

/** Ends one session of a member. Returns false if it does not exist or is not theirs, without saying which. */
export async function endSessionById(
  db: Db,
  { brandId, memberId, sessionId }: { brandId: string; memberId: string; sessionId: string },
): Promise<boolean> {
  if (!/^[0-9a-f-]{36}$/i.test(sessionId)) return false;
  const { numDeletedRows } = await db
    .deleteFrom("member_sessions")
    .where("id", "=", sessionId)
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Ends a member's sessions, all or all but one, and everything that belongs to them (recovery-rules.ts). Returns the
 * number of sessions.
 */
export async function signOut(
  db: Db,
  {
    brandId,
    memberId,
    exceptSessionId = null,
    now,
  }: { brandId: string; memberId: string; exceptSessionId?: string | null; now: Date },
): Promise<number> {
  const act = exceptSessionId === null ? "sign-out-everywhere" : "sign-out-elsewhere";
  return await db.transaction().execute((trx) => endAccess(trx, act, { brandId, memberId, exceptSessionId, now }));
}
