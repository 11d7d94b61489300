import type { Trx } from "@farthing/db/client.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { Mail } from "../mails/mail.ts";
import { findMailChoices } from "../mail-choices/member-choices.server.ts";
import { signUnsubscription, type UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { lockMembers } from "../members/lock-member.server.ts";
import { findPurchaseStage, isOverCap } from "./find-facts.server.ts";
import { isStillThere, reviewHold, takeBack } from "./holds.server.ts";
import { changeBonus, findBonuses, lockReferral, type Bonus, type Referral } from "./referral-row.server.ts";
import { isPosted, isReminderDue, isReportingOver, lastDayOf, nextBonusStep, nextLook } from "./rules.ts";

export interface Settling {
  referralId: string;
  keys: UnsubscribeKeys;
  now: Date;
}

interface Person {
  id: string;
  email: string;
  email_verified: boolean;
  verification: string;
  suspended_at: Date | null;
  closed_at: Date | null;
}

/**
 * Brings both bonuses of a referral to where the facts put them, and writes to the people about it, in the caller's
 * transaction (C8). Doing it again changes nothing. Returns when to look again; null: when something happens.
 */
export async function settleReferral(trx: Trx, { referralId, keys, now }: Settling): Promise<Date | null> {
  const people = await lockPeople(trx, referralId);
  const referral = people && (await lockReferral(trx, referralId));
  if (!referral) return null;
  const { inviter, friend } = people;
  const tell = (person: Person, mail: (token: string) => Mail) =>
    write(trx, { brandId: referral.brandId, person, mail, keys, now });

  if (referral.announcedAt === null && friend.email_verified) {
    await trx.updateTable("referrals").set({ announced_at: now }).where("id", "=", referral.id).execute();
    await tell(inviter, (token) => ({ kind: "friend-joined", token }));
  }
  const bonuses: Bonus[] = [];
  const facts = await findCommonFacts(trx, { referral, friend, now });
  for (const bonus of await findBonuses(trx, referralId))
    bonuses.push(
      await settleBonus(trx, { bonus, facts, owner: bonus.side === "friend" ? friend : inviter, tell, now }),
    );

  const invitation = {
    qualifyUntil: referral.qualifyUntil,
    isReminded: referral.remindedAt !== null,
    isWaiting: bonuses.some(({ state }) => state === "invited" || state === "qualifying"),
  };
  const welcome = bonuses.find(({ side, state }) => side === "friend" && state === "invited");
  if (welcome && isReminderDue(invitation, now)) {
    await trx.updateTable("referrals").set({ reminded_at: now }).where("id", "=", referral.id).execute();
    await tell(friend, (token) => ({
      kind: "bonus-expiring",
      amountPence: welcome.amount_pence,
      minCashbackPence: referral.minCashbackPence,
      until: lastDayOf(referral.qualifyUntil).toISOString(),
      token,
    }));
    return nextLook({ ...invitation, isReminded: true }, now);
  }
  return nextLook(invitation, now);
}

/** Locks both members, before anything else. */
export async function lockPeople(trx: Trx, referralId: string): Promise<{ inviter: Person; friend: Person } | null> {
  const found = await trx
    .selectFrom("referrals")
    .select(["inviter_id", "member_id"])
    .where("id", "=", referralId)
    .executeTakeFirst();
  if (!found) return null;
  const ids = [found.inviter_id, found.member_id];
  await lockMembers(trx, ids);
  const people = await trx
    .selectFrom("members")
    .select(["id", "email", "email_verified", "verification", "suspended_at", "closed_at"])
    .where("id", "in", ids)
    .execute();
  const inviter = people.find(({ id }) => id === found.inviter_id);
  const friend = people.find(({ id }) => id === found.member_id);
  return inviter && friend ? { inviter, friend } : null;
}

type CommonFacts = Awaited<ReturnType<typeof findCommonFacts>>;

async function findCommonFacts(trx: Trx, { referral, friend, now }: { referral: Referral; friend: Person; now: Date }) {
  const purchase = await findPurchaseStage(trx, referral);
  return {
    purchase,
    // Before there is a purchase, there is nothing for an operator to decide.
    hold: await reviewHold(trx, { referral, now, ...(purchase === "none" ? { reasons: [] } : {}) }),
    isFriendVerified: friend.email_verified && friend.verification === "verified",
    isOver: isReportingOver(referral, now),
    isOverCap: await isOverCap(trx, { referral, now }),
  };
}

async function settleBonus(
  trx: Trx,
  {
    bonus,
    facts,
    owner,
    tell,
    now,
  }: {
    bonus: Bonus;
    facts: CommonFacts;
    owner: Person;
    tell: (person: Person, mail: (token: string) => Mail) => Promise<void>;
    now: Date;
  },
): Promise<Bonus> {
  const step = nextBonusStep({
    ...facts,
    state: bonus.state,
    wasEarned: bonus.earned_at !== null,
    isOverCap: bonus.side === "inviter" && facts.isOverCap,
    hasLeft: owner.closed_at !== null,
    isStillThere: bonus.state !== "payable" || (await isStillThere(trx, bonus)),
  });
  if (step.state === bonus.state) return bonus;
  const changed =
    step.state === "held" || step.state === "ended"
      ? await takeBack(trx, bonus, step, now)
      : await changeBonus(trx, bonus, step, now);
  const { side, amount_pence: amountPence } = bonus;
  if (changed.state === "payable" && bonus.payable_at === null)
    await tell(owner, (token) => ({ kind: "bonus-earned", side, amountPence, token }));
  if (changed.state === "reversed" && isPosted(bonus.state))
    await tell(owner, (token) => ({ kind: "bonus-reversed", side, amountPence, token }));
  return changed;
}

async function write(
  trx: Trx,
  {
    brandId,
    person,
    mail,
    keys,
    now,
  }: { brandId: string; person: Person; mail: (token: string) => Mail; keys: UnsubscribeKeys; now: Date },
): Promise<void> {
  if (!person.email_verified || person.suspended_at || person.closed_at) return;
  const memberId = person.id;
  const choices = await findMailChoices(trx, { brandId, memberId });
  if (!choices.some(({ kind, isWanted }) => kind === "friends" && isWanted)) return;
  const token = signUnsubscription({ brandId, memberId, subject: "friends" }, keys);
  await queueMail(trx, { brandId, memberId, to: person.email, mail: mail(token), now });
}
