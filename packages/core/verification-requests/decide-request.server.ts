import type { Db, Trx } from "@farthing/db/client.ts";
import { scheduleDeletion } from "../attachments/store.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { lockStanding, moveMember, type Standing } from "./member-standing.server.ts";
import { rejectionReasons, type ReasonCode } from "./reasons.ts";
import { addDays, statesBefore, validUntil, verificationDays, type RequestState } from "./rules.ts";

export type Decision = { accept: true } | { accept: false; reason: ReasonCode; note: string | null };

export type DecisionResult =
  | { outcome: "decided"; state: "accepted" | "rejected"; validUntil: Date | null }
  /** Another operator decided first, or the member sent new proof. */
  | { outcome: "not-open"; state: RequestState }
  | { outcome: "unknown" };

/**
 * Records an operator's decision: changes request and standing, sets the file's deletion date and queues the mail in
 * one transaction. Of two concurrent operators one decides; the guard of the update is the transition table.
 */
export async function decideRequest(
  db: Db,
  { publicId, decision, by, now }: { publicId: string; decision: Decision; by: string; now: Date },
): Promise<DecisionResult> {
  return db.transaction().execute(async (trx): Promise<DecisionResult> => {
    const request = await trx
      .selectFrom("verification_requests")
      .select(["id", "member_id", "brand_id"])
      .where("public_id", "=", publicId)
      .executeTakeFirst();
    const standing = request && (await lockStanding(trx, { memberId: request.member_id }));
    if (!request || !standing) return { outcome: "unknown" };
    const until = decision.accept ? validUntil({ now, verifiedUntil: standing.verifiedUntil }) : null;
    const { numUpdatedRows } = await trx
      .updateTable("verification_requests")
      .set({
        state: decision.accept ? "accepted" : "rejected",
        reason: decision.accept ? null : decision.reason,
        note: decision.accept ? null : decision.note,
        valid_until: until,
        decided_at: now,
        decided_by: by,
      })
      .where("id", "=", request.id)
      .where("state", "in", statesBefore(decision.accept ? "accept" : "reject"))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { outcome: "not-open", state: await stateOf(trx, request.id) };
    await scheduleDeletion(trx, {
      requestId: request.id,
      why: "decided",
      at: addDays(now, verificationDays.keepFile),
    });
    await moveMember(trx, {
      standing,
      event: decision.accept ? "accept" : "reject",
      now,
      ...(until ? { verifiedUntil: until } : {}),
    });
    await tell(trx, { standing, decision, until, now });
    return { outcome: "decided", state: decision.accept ? "accepted" : "rejected", validUntil: until };
  });
}

async function stateOf(trx: Trx, id: string): Promise<RequestState> {
  const { state } = await trx
    .selectFrom("verification_requests")
    .select("state")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return state as RequestState;
}

interface Told {
  standing: Standing;
  decision: Decision;
  until: Date | null;
  now: Date;
}

async function tell(trx: Trx, { standing, decision, until, now }: Told): Promise<void> {
  const to = { brandId: standing.brandId, memberId: standing.id, to: standing.email, now };
  if (decision.accept) {
    const mail = { kind: "verification-accepted", until: (until ?? now).toISOString() } as const;
    return queueMail(trx, { ...to, mail });
  }
  const { says, example } = rejectionReasons[decision.reason];
  const { verification, verifiedUntil } = standing;
  const isStillGood = verification === "verified" && verifiedUntil !== null && verifiedUntil > now;
  const stillUntil = isStillGood ? verifiedUntil.toISOString() : null;
  return queueMail(trx, {
    ...to,
    mail: { kind: "verification-rejected", says, example, note: decision.note, stillUntil },
  });
}
