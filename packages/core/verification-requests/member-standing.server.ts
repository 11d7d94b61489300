import type { Trx } from "@farthing/db/client.ts";
import { memberAfter, type MemberEvent, type Verification } from "./rules.ts";

export interface Standing {
  id: string;
  brandId: string;
  email: string;
  verification: Verification;
  verifiedUntil: Date | null;
  isSuspended: boolean;
}

/**
 * Locks the member until the transaction ends, and returns their standing; null for one who is unknown or has left. Every change of a request takes this lock
 * first, so that concurrent windows, operators and jobs run one after the other.
 */
export async function lockStanding(
  trx: Trx,
  { memberId, brandId }: { memberId: string; brandId?: string },
): Promise<Standing | null> {
  const row = await trx
    .selectFrom("members")
    .select(["id", "brand_id", "email", "verification", "verified_until", "suspended_at"])
    .where("id", "=", memberId)
    .where("closed_at", "is", null)
    .$if(brandId !== undefined, (query) => query.where("brand_id", "=", brandId ?? ""))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    brandId: row.brand_id,
    email: row.email,
    verification: row.verification as Verification,
    verifiedUntil: row.verified_until,
    isSuspended: row.suspended_at !== null,
  };
}

/** Changes the standing of a locked member. */
export async function moveMember(
  trx: Trx,
  { standing, event, verifiedUntil, now }: { standing: Standing; event: MemberEvent; verifiedUntil?: Date; now: Date },
): Promise<void> {
  await trx
    .updateTable("members")
    .set({
      verification: memberAfter(standing.verification, event),
      updated_at: now,
      ...(verifiedUntil ? { verified_until: verifiedUntil } : {}),
    })
    .where("id", "=", standing.id)
    .execute();
}
