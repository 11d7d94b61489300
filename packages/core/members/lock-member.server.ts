import type { Trx } from "@farthing/db/client.ts";

/**
 * The member's row, locked until the transaction ends. Everything that changes how an account is opened takes this lock before it looks at anything else, so that
 * two windows, an operator and a worker come one after the other. It is "for no key update": rows that refer to the member can be written meanwhile.
 * Returns undefined for an unknown member, or one of another brand.
 */
export async function lockMember(trx: Trx, { brandId, memberId }: { brandId?: string; memberId: string }) {
  return trx
    .selectFrom("members")
    .select(["id", "brand_id", "email", "closed_at"])
    .where("id", "=", memberId)
    .$if(brandId !== undefined, (query) => query.where("brand_id", "=", brandId ?? ""))
    .forNoKeyUpdate()
    .executeTakeFirst();
}
