import type { Db } from "@farthing/db/client.ts";
import { keepPlan, unseenByPlanner } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { findProgramme, type Programme } from "../invitations/programmes.server.ts";
import type { BonusState, EndReason } from "./rules.ts";

/** A bonus as its member reads it: never why it is held, and nothing about the other person but when they joined. */
export interface BonusView {
  id: string;
  state: BonusState;
  endReason: EndReason | null;
  amountPence: number;
  joinedAt: Date;
  qualifyUntil: Date;
  changedAt: Date;
}

export interface FriendsView {
  programme: Programme | null;
  /** The member's own welcome bonus, if they were invited. */
  welcome: (BonusView & { minCashbackPence: number; isVerified: boolean }) | null;
  /** The newest first, at most `MAX_SHOWN`. */
  invitations: BonusView[];
  joined: number;
  /** Bonuses for inviting that are the member's to withdraw or have been withdrawn. */
  earnedPence: number;
  confirmedPence: number;
}

const MAX_SHOWN = 50;

const view = sql`bonus.id, bonus.state, bonus.end_reason as "endReason", bonus.amount_pence as "amountPence",
  referral.registered_at as "joinedAt", referral.qualify_until as "qualifyUntil", bonus.changed_at as "changedAt"`;

/** Returns what a member has to do with inviting (C8). A friend shows once they have confirmed their address. */
export async function findFriends(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<FriendsView> {
  const [programme, welcome, invitations, sums] = await Promise.all([
    findProgramme(db, { brandId, now }),
    findWelcome(db, memberId),
    sql<BonusView>`select ${view} from bonuses bonus join referrals referral on referral.id = bonus.referral_id
      where bonus.member_id = ${memberId} and bonus.side = 'inviter' and referral.announced_at is not null
      order by referral.registered_at desc, referral.id desc limit ${MAX_SHOWN}`.execute(db),
    findSums(db, memberId),
  ]);
  return { programme, welcome, invitations: invitations.rows, ...sums };
}

async function findWelcome(db: Db, memberId: string): Promise<FriendsView["welcome"]> {
  const { rows } = await sql<NonNullable<FriendsView["welcome"]>>`${keepPlan}
    select ${view}, programme.min_cashback_pence as "minCashbackPence", member.verification = 'verified' as "isVerified"
    from bonuses bonus join referrals referral on referral.id = bonus.referral_id
      join referral_programmes programme on programme.id = referral.programme_id join members member on member.id = bonus.member_id
    where bonus.member_id = ${unseenByPlanner(memberId, "uuid")} and bonus.side = 'friend'`.execute(db);
  return rows[0] ?? null;
}

async function findSums(db: Db, memberId: string) {
  const { rows } = await sql<Pick<FriendsView, "joined" | "earnedPence" | "confirmedPence">>`${keepPlan}
    select count(*)::int as joined,
      coalesce(sum(amount_pence) filter (where state = 'payable'), 0)::bigint as "earnedPence",
      coalesce(sum(amount_pence) filter (where state = 'confirmed'), 0)::bigint as "confirmedPence"
    from bonuses bonus join referrals referral on referral.id = bonus.referral_id
    where bonus.member_id = ${unseenByPlanner(memberId, "uuid")} and bonus.side = 'inviter' and referral.announced_at is not null`.execute(
    db,
  );
  return rows[0] ?? { joined: 0, earnedPence: 0, confirmedPence: 0 };
}

export type FriendsPanelView = Pick<FriendsView, "programme" | "welcome" | "joined" | "earnedPence" | "confirmedPence">;

/** Returns what the money page says about inviting. */
export async function findFriendsPanel(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<FriendsPanelView> {
  const [programme, welcome, sums] = await Promise.all([
    findProgramme(db, { brandId, now }),
    findWelcome(db, memberId),
    findSums(db, memberId),
  ]);
  return { programme, welcome, ...sums };
}

/** Returns the public id of the referral that a hold is of, in force or decided; null: there is no such hold. */
export async function findReferralOfHold(db: Db, { publicId }: { publicId: string }): Promise<string | null> {
  const row = await db
    .selectFrom("referral_holds as hold")
    .innerJoin("referrals as referral", "referral.id", "hold.referral_id")
    .select("referral.public_id as publicId")
    .where("hold.public_id", "=", publicId)
    .executeTakeFirst();
  return row?.publicId ?? null;
}
