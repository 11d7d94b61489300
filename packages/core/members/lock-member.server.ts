import type { Trx } from "@farthing/db/client.ts";

/**
 * The member's row, locked until the transaction ends. Everything that changes how an account is opened takes this lock before it looks at anything else, so that
 * two windows, an operator and a worker come one after the other. It is "for no key update": rows that refer to the member can be written meanwhile.
 * Returns undefined for an unknown member, or one of another brand.
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
 * The same for what a member does in a session: undefined also where the session is over. A request that was let in just before an act of recovery must not leave
 * anything behind after it.
 */
export async function lockSignedIn(
  trx: Trx,
  { brandId, memberId, sessionId }: { brandId: string; memberId: string; sessionId: string },
) {
  const member = await lockMember(trx, { brandId, memberId });
  const session = await trx
    .selectFrom("member_sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return session && member;
}
