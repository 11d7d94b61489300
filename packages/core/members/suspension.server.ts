import type { Db } from "@farthing/db/client.ts";
import { endAccess } from "./end-access.server.ts";
import { lockMember } from "./lock-member.server.ts";

interface OfMember {
  brandId: string;
  memberId: string;
}

/**
 * Suspends a member: ends every session and link, and refuses all sign-in until the member is restored. Passwords,
 * addresses, passkeys and second factors are kept for then. Returns false for a member who is unknown, closed or
 * already suspended.
 */
export async function suspendMember(db: Db, { brandId, memberId, now }: OfMember & { now: Date }): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await lockMember(trx, { brandId, memberId });
    const { numUpdatedRows } = await trx
      .updateTable("members")
      .set({ suspended_at: now, updated_at: now })
      .where("id", "=", memberId)
      .where("brand_id", "=", brandId)
      .where("suspended_at", "is", null)
      .where("closed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await endAccess(trx, "suspend", { brandId, memberId, now });
    return true;
  });
}

/** Restores a suspended member. Returns false for a member who is unknown, closed or not suspended. */
export async function restoreMember(db: Db, { brandId, memberId, now }: OfMember & { now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("members")
    .set({ suspended_at: null, updated_at: now })
    .where("id", "=", memberId)
    .where("brand_id", "=", brandId)
    .where("suspended_at", "is not", null)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
