import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Ends the session with this token, if this brand has it; what other brands have is out of reach (B4). Gives whether there was one. */
export async function endSession(db: Db, { brandId, token }: { brandId: string; token: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("member_sessions")
    .where("token", "=", token)
    .where("brand_id", "=", brandId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes sessions that are over; for a regular job. Gives how many. */
export async function forgetExpiredSessions(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("member_sessions")
    .where("expires_at", "<", sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
