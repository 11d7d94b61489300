import type { Trx } from "@farthing/db/client.ts";

/**
 * Locks the member's row until the transaction ends, and returns it. Everything that changes how an account is opened
 * takes this lock before it reads anything else, so that two windows, an operator and a worker run one after the other.
 * The lock is "for no key update": rows that refer to the member can still be written. Returns undefined for an unknown
 * member or one of another brand.
 */
export async function lockMember(trx: Trx, { brandId, memberId }: { brandId?: string; memberId: string }) {
  return trx
    .selectFrom("members")
    .select(["id", "brand_id", "email", "closed_at", "device_generation"])
    .where("id", "=", memberId)
    .$if(brandId !== undefined, (query) => query.where("brand_id", "=", brandId ?? ""))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Locks several members, in the order of their ids: an action that needs more than one takes all of these locks at once and first,
 * so that two such actions wait for each other and can't deadlock.
 */
export async function lockMembers(trx: Trx, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return;
  await trx.selectFrom("members").select("id").where("id", "in", memberIds).orderBy("id").forNoKeyUpdate().execute();
}

/**
 * Does the same as `lockMember` for an action in a session, and returns when the session expires as well: undefined if the session has
 * ended. A request that passed the session check just before an act of recovery must not change anything after it.
 */
export async function lockSignedIn(
  trx: Trx,
  { brandId, memberId, sessionId }: { brandId: string; memberId: string; sessionId: string },
) {
  const member = await lockMember(trx, { brandId, memberId });
  const session = await trx
    .selectFrom("member_sessions")
    .select("expires_at")
    .where("id", "=", sessionId)
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return session && member && { ...member, session_expires_at: session.expires_at };
}
