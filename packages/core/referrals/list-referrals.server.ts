import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { listReferrals, type ListedReferral } from "./decide-hold.server.ts";
import type { HoldReason } from "./rules.ts";

/** A referral as operators list it. */
export interface OperatorReferral {
  publicId: string;
  brand: string;
  inviterId: string;
  inviterNumber: string;
  friendId: string;
  friendNumber: string;
  registeredAt: Date;
  /** Of both bonuses, in pence. */
  bonusPence: number;
  /** "friend payable, inviter held" */
  bonuses: string;
  /** Of the hold in force; null: none is. */
  heldSince: Date | null;
  reasons: HoldReason[] | null;
}

export interface ReferralFilters {
  /** The number of a referral, or of the inviter or the friend. */
  q?: string;
  /** "all": not only those that are held. */
  which?: string;
}

/** Returns how referrals are listed: those that are held, by how long they are; or all, by when the friend joined. */
export function referralList({ q, which }: ReferralFilters): ListQuery<"time"> {
  const isAll = which === "all" || q !== undefined;
  const where: RawBuilder<unknown>[] = [];
  if (!isAll) where.push(sql`hold.decision is null`);
  if (q)
    where.push(sql`referral.id in (
      select id from referrals where public_id = ${q}
      union select own.id from members member join referrals own on own.inviter_id = member.id
        where member.member_number = ${q.toUpperCase()}
      union select own.id from members member join referrals own on own.member_id = member.id
        where member.member_number = ${q.toUpperCase()})`);
  const joined = isAll
    ? sql`referrals referral left join referral_holds hold on hold.referral_id = referral.id and hold.decision is null`
    : sql`referral_holds hold join referrals referral on referral.id = hold.referral_id`;
  return {
    from: sql`${joined} join brands brand on brand.id = referral.brand_id
      join members inviter on inviter.id = referral.inviter_id join members friend on friend.id = referral.member_id`,
    select: sql`referral.public_id as "publicId", brand.name as brand, inviter.id as "inviterId",
      inviter.member_number as "inviterNumber", friend.id as "friendId", friend.member_number as "friendNumber",
      referral.registered_at as "registeredAt", hold.placed_at as "heldSince", hold.reasons,
      (select coalesce(sum(amount_pence), 0)::bigint from bonuses where referral_id = referral.id) as "bonusPence",
      (select coalesce(string_agg(side || ' ' || state, ', ' order by side), 'none') from bonuses
        where referral_id = referral.id) as bonuses`,
    where,
    sorts: { time: { by: isAll ? sql`referral.registered_at` : sql`hold.placed_at`, type: "timestamptz" } },
    id: { by: isAll ? sql`referral.id` : sql`hold.id`, type: "uuid" },
  };
}

export interface ReferralRecord extends ListedReferral {
  inviterId: string;
  friendId: string;
  /** The number of the hold in force; null: none is. */
  openHold: string | null;
  /** The newest of the inviter's other referrals. */
  others: { publicId: string; friendNumber: string; registeredAt: Date; isHeld: boolean }[];
}

const MAX_OTHERS = 20;

/** Returns a referral by its number; null: there is none. */
export async function findReferralRecord(db: Db, { publicId }: { publicId: string }): Promise<ReferralRecord | null> {
  const own = await db
    .selectFrom("referrals")
    .select(["id", "inviter_id", "member_id"])
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  if (!own) return null;
  const [listed, others] = await Promise.all([
    listReferrals(db, { which: { of: publicId } }),
    sql<
      ReferralRecord["others"][number]
    >`select referral.public_id as "publicId", friend.member_number as "friendNumber",
        referral.registered_at as "registeredAt",
        exists (select from referral_holds hold where hold.referral_id = referral.id and hold.decision is null) as "isHeld"
      from referrals referral join members friend on friend.id = referral.member_id
      where referral.inviter_id = ${own.inviter_id} and referral.id <> ${own.id}
      order by referral.registered_at desc limit ${MAX_OTHERS}`.execute(db),
  ]);
  const found = listed.find((referral) => referral.publicId === publicId);
  if (!found) return null;
  return {
    ...found,
    inviterId: own.inviter_id,
    friendId: own.member_id,
    openHold: found.holds.find(({ decision }) => decision === null)?.publicId ?? null,
    others: others.rows,
  };
}
