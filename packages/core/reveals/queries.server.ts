import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlanIfDirect, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";

/** A code that a member was shown, from their latest reveal of a variant. */
export interface SeenCode {
  /** Public id of the variant; null if the offer has none. */
  variant: string | null;
  code: string;
  /** A shared code, or the member's own from a pool; null if the code has been replaced, withdrawn or made void since. */
  codeKind: "shared" | "pool" | null;
  revealedAt: Date;
}

/**
 * Returns the codes of an offer that a member was shown, one per variant, on any device (O3). A code is valid while the
 * offer still has it, it is not void, and it is shared or this member's own.
 * @param offerId internal id of an offer that the caller knows to be live
 */
export async function findSeenCodes(
  db: Db | Trx,
  { memberId, offerId }: { memberId: string; offerId: string },
): Promise<SeenCode[]> {
  const { rows } = await sql<SeenCode>`${keepPlanIfDirect}
    select distinct on (shown.variant_id) v.public_id as variant, shown.code, shown.revealed_at as "revealedAt", (
      select k.code_kind from offer_codes k
      where k.offer_id = shown.offer_id and (k.variant_id is null or k.variant_id = shown.variant_id) and k.code = shown.code
        and k.voided_at is null and (k.code_kind = 'shared' or k.member_id = shown.member_id)
      order by k.code_kind limit 1) as "codeKind"
    from code_reveals shown left join offer_variants v on v.id = shown.variant_id
    where shown.member_id = ${unseenByPlanner(memberId, "uuid")} and shown.offer_id = ${offerId} and shown.code is not null
    order by shown.variant_id, shown.revealed_at desc, shown.id desc`.execute(db);
  return rows;
}
