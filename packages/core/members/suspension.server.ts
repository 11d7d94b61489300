import type { Db } from "@farthing/db/client.ts";
import { endAccess } from "./end-access.server.ts";
import { lockMember } from "./lock-member.server.ts";

interface OfMember {
  brandId: string;
  memberId: string;
}

/**
 * Shuts a member out: every session and link ends, and nothing opens the account until it is restored. What the member signs in with is kept for then. Returns
 * false for one who is unknown, closed or suspended already.
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
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await endAccess(trx, "suspend", { brandId, memberId, now });
    return true;
  });
}

/** Lets a suspended member in again. Returns false for one who is unknown, closed or not suspended. */
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
