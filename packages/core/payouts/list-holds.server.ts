import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { membersCalled } from "../members/list-members.server.ts";

/** A hold as operators list it. */
export interface ListedHold {
  publicId: string;
  brand: string;
  memberId: string;
  memberNumber: string;
  memberName: string;
  reason: string;
  placedBy: string;
  placedAt: Date;
  liftedBy: string | null;
  liftedAt: Date | null;
  /** What waits because of it. */
  waitingPence: number;
}

export type HoldSort = "placed";

/**
 * Returns how holds are listed, with the index payout_holds_placed: those in force, unless `state` is "lifted" or "all". `q` is the number of a member, or
 * a name or an address.
 */
export function holdList({ state, q }: { state?: string; q?: string }): ListQuery<HoldSort> {
  const where: RawBuilder<unknown>[] = [];
  if (state === "lifted") where.push(sql`hold.lifted_at is not null`);
  else if (state !== "all") where.push(sql`hold.lifted_at is null`);
  if (q)
    where.push(
      sql`hold.member_id in ((select id from members where member_number = ${q.toUpperCase()}) union ${membersCalled(q)})`,
    );
  return {
    from: sql`payout_holds hold join members member on member.id = hold.member_id join brands brand on brand.id = hold.brand_id`,
    select: sql`hold.public_id as "publicId", brand.name as brand, member.id as "memberId", member.member_number as "memberNumber", member.name as "memberName",
      hold.reason, hold.placed_by as "placedBy", hold.placed_at as "placedAt", hold.lifted_by as "liftedBy",
      hold.lifted_at as "liftedAt", coalesce((select sum(amount_pence) from payouts
        where payouts.member_id = hold.member_id and payouts.state = 'requested'), 0)::bigint as "waitingPence"`,
    where,
    sorts: { placed: { by: sql`hold.placed_at`, type: "timestamptz" } },
    id: { by: sql`hold.id`, type: "uuid" },
  };
}
