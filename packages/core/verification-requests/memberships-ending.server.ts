import type { Db, Trx } from "@farthing/db/client.ts";
import { queueMail } from "../mails/operations.server.ts";
import { lockStanding, moveMember, type Standing } from "./member-standing.server.ts";
import { addDays, verificationDays } from "./rules.ts";

/**
 * Tells members once for each end that their membership runs out soon, unless they have sent proof. Returns how many.
 */
export async function tellOfRenewals(db: Db, { now, max = 100 }: { now: Date; max?: number }): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ending = await trx
      .selectFrom("members")
      .select(["id", "brand_id", "email", "verified_until"])
      .where("verification", "=", "verified")
      .where("verified_until", ">", now)
      .where("verified_until", "<=", addDays(now, verificationDays.notice))
      .where("suspended_at", "is", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("renewal_notices as notice")
              .select("notice.member_id")
              .whereRef("notice.member_id", "=", "members.id")
              .whereRef("notice.verified_until", "=", "members.verified_until"),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("verification_requests as request")
              .select("request.id")
              .whereRef("request.member_id", "=", "members.id")
              .where("request.state", "=", "submitted"),
          ),
        ),
      )
      .limit(max)
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    let told = 0;
    for (const { id, brand_id, email, verified_until } of ending) {
      if (!verified_until) continue;
      // Another process may have told them after this one's query began, and released its lock before this one took it.
      const notice = await trx
        .insertInto("renewal_notices")
        .values({ member_id: id, verified_until, told_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning("member_id")
        .executeTakeFirst();
      if (!notice) continue;
      told += 1;
      const mail = { kind: "renewal-due", until: verified_until.toISOString(), hasEnded: false } as const;
      await queueMail(trx, { brandId: brand_id, memberId: id, to: email, mail, now });
    }
    return told;
  });
}

/**
 * Ends memberships that have run out. A member who sent proof in time stays verified until the decision (M4), because a
 * slow decision is not their fault. Returns how many ran out.
 */
export async function endMemberships(db: Db, { now, max = 100 }: { now: Date; max?: number }): Promise<number> {
  const ended = await db
    .selectFrom("members")
    .select("id")
    .where("verification", "=", "verified")
    .where("verified_until", "<=", now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("verification_requests as request")
            .select("request.id")
            .whereRef("request.member_id", "=", "members.id")
            .where("request.state", "=", "submitted"),
        ),
      ),
    )
    .limit(max)
    .execute();
  let count = 0;
  for (const { id } of ended) if (await endMembership(db, { memberId: id, now })) count += 1;
  return count;
}

/**
 * Ends a membership now, for a decision that was wrong: the member is told unless suspended, and may send new proof. Returns false for a member who is unknown or not
 * verified.
 */
export async function revokeMembership(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const standing = await lockStanding(trx, { brandId, memberId });
    if (standing?.verification !== "verified") return false;
    await moveMember(trx, { standing, event: "run-out", verifiedUntil: now, now });
    await tellOfEnd(trx, { standing, until: now, now });
    return true;
  });
}

async function endMembership(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const standing = await lockStanding(trx, { memberId });
    // Check again under the lock: proof or a decision may have arrived.
    if (!standing || standing.verification !== "verified" || !standing.verifiedUntil || standing.verifiedUntil > now)
      return false;
    const open = await trx
      .selectFrom("verification_requests")
      .select("id")
      .where("member_id", "=", memberId)
      .where("state", "=", "submitted")
      .executeTakeFirst();
    if (open) return false;
    await moveMember(trx, { standing, event: "run-out", now });
    await tellOfEnd(trx, { standing, until: standing.verifiedUntil, now });
    return true;
  });
}

/** Tells a locked member that their membership has ended. One who is suspended can send no proof, and is not asked for it. */
async function tellOfEnd(
  trx: Trx,
  { standing: { id, brandId, email, isSuspended }, until, now }: { standing: Standing; until: Date; now: Date },
): Promise<void> {
  if (isSuspended) return;
  const mail = { kind: "renewal-due", until: until.toISOString(), hasEnded: true } as const;
  await queueMail(trx, { brandId, memberId: id, to: email, mail, now });
}
