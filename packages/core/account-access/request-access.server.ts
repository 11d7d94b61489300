import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { queueMail } from "../mails/operations.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { queueOperatorMail } from "../operators/operator-mail.server.ts";
import { newSecretToken } from "../secrets/secret-token.ts";
import { accessComesFrom, accessTimes, MAX_REQUESTS_A_DAY, type EndedBy } from "./rules.ts";

export type Asked =
  | { outcome: "asked"; publicId: string }
  | { outcome: "open"; by: string }
  | { outcome: "too-often" | "not-possible" };

/**
 * Asks a member whether an operator may see the site as they do (A3), and mails them. `open`: somebody has asked already.
 * `not-possible`: the member is suspended or has left.
 */
export async function askForAccess(
  db: Db,
  {
    memberId,
    operator,
    reason,
    now,
  }: { memberId: string; operator: { id: string; name: string }; reason: string; now: Date },
): Promise<Asked> {
  return await db.transaction().execute(async (trx) => {
    const member = await lockMember(trx, { memberId });
    const standing = await trx
      .selectFrom("members")
      .select("suspended_at")
      .where("id", "=", memberId)
      .executeTakeFirst();
    if (!member || standing?.suspended_at !== null) return { outcome: "not-possible" };
    await endLapsed(trx, { memberId, now });
    const open = await trx
      .selectFrom("account_access_requests")
      .select("operator_name")
      .where("member_id", "=", memberId)
      .where("state", "in", ["asked", "allowed", "running"])
      .executeTakeFirst();
    if (open) return { outcome: "open", by: open.operator_name };
    const { count } = await trx
      .selectFrom("account_access_requests")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("member_id", "=", memberId)
      .where("asked_at", ">", new Date(now.getTime() - accessTimes.lapsesMs))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_REQUESTS_A_DAY) return { outcome: "too-often" };
    const publicId = newSecretToken(128);
    const lapsesAt = new Date(now.getTime() + accessTimes.lapsesMs);
    await trx
      .insertInto("account_access_requests")
      .values({
        id: newId(),
        public_id: publicId,
        brand_id: member.brand_id,
        member_id: memberId,
        operator_id: operator.id,
        operator_name: operator.name,
        reason,
        state: "asked",
        asked_at: now,
        lapses_at: lapsesAt,
      })
      .execute();
    const mail = {
      kind: "account-access",
      publicId,
      operator: operator.name,
      reason,
      lapsesAt: lapsesAt.toISOString(),
    } as const;
    await queueMail(trx, { brandId: member.brand_id, memberId, to: member.email, mail, now });
    return { outcome: "asked", publicId };
  });
}

/** Ends a member's requests that time has ended, so that another may be made. */
async function endLapsed(trx: Trx, { memberId, now }: { memberId: string; now: Date }): Promise<void> {
  await trx
    .updateTable("account_access_requests")
    .set({ state: "ended", ended_at: now, ended_by: "time", ticket_hash: null, ticket_ends_at: null })
    .where("member_id", "=", memberId)
    .where((eb) =>
      eb.or([
        eb.and([eb("state", "in", ["asked", "allowed"]), eb("lapses_at", "<=", now)]),
        // The operator signed out: nobody can go on with it.
        eb.and([
          eb("state", "=", "running"),
          eb.or([
            eb("ends_at", "<=", now),
            sql<boolean>`not exists (select from operator_sessions s where s.id = operator_session_id and s.expires_at > ${now})`,
          ]),
        ]),
      ]),
    )
    .execute();
}

/**
 * Records the member's answer, and mails it to the operator. Returns false where there is nothing to answer any more: it
 * lapsed, was taken back, or has its answer.
 */
export async function answerAccess(
  db: Db,
  {
    publicId,
    brandId,
    memberId,
    answer,
    now,
  }: { publicId: string; brandId: string; memberId: string; answer: "yes" | "no"; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const answered = await trx
      .updateTable("account_access_requests")
      .set({ state: answer === "yes" ? "allowed" : "refused", answered_at: now })
      .where("public_id", "=", publicId)
      .where("brand_id", "=", brandId)
      .where("member_id", "=", memberId)
      .where("state", "in", accessComesFrom[answer === "yes" ? "allowed" : "refused"])
      .where("lapses_at", ">", now)
      .returning(["operator_id", "lapses_at"])
      .executeTakeFirst();
    if (!answered) return false;
    const operator = await trx
      .selectFrom("operators")
      .select("email")
      .where("id", "=", answered.operator_id)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    const mail = {
      kind: "account-access-answer",
      memberId,
      answer,
      lapsesAt: answered.lapses_at.toISOString(),
    } as const;
    if (operator) await queueOperatorMail(trx, { to: operator.email, mail, now });
    return true;
  });
}

/**
 * Ends a request or the session that it led to, at once. The member ends their own, and an operator what they asked for
 * themselves. Returns false where nothing is open.
 */
export async function endAccessRequest(
  db: Db | Trx,
  {
    publicId,
    whose,
    by,
    now,
  }: {
    publicId: string;
    whose: { brandId: string; memberId: string } | { operatorId: string } | "anybody's";
    by: EndedBy;
    now: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("account_access_requests")
    .set({ state: "ended", ended_at: now, ended_by: by, ticket_hash: null, ticket_ends_at: null })
    .where("public_id", "=", publicId)
    .where("state", "in", accessComesFrom.ended)
    .$if(typeof whose === "object" && "memberId" in whose, (query) => {
      const { brandId, memberId } = whose as { brandId: string; memberId: string };
      return query.where("brand_id", "=", brandId).where("member_id", "=", memberId);
    })
    .$if(typeof whose === "object" && "operatorId" in whose, (query) =>
      query.where("operator_id", "=", (whose as { operatorId: string }).operatorId),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
