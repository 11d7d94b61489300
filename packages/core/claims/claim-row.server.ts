import type { Db, Trx } from "@farthing/db/client.ts";
import type { Claims } from "@farthing/db/schema.ts";
import { sql, type Selectable, type Updateable } from "kysely";
import { scheduleDeletion } from "../attachments/store.server.ts";
import { isDeclineReason, type DeclineReason } from "../networks/decline-reason.ts";
import { KEEP_EVIDENCE_DAYS } from "../claimed-orders/rules.ts";
import { addDays, APPEAL_DAYS, canGo, isLive, type ClaimKind, type ClaimState } from "./rules.ts";

export type Claim = Omit<Selectable<Claims>, "state" | "kind" | "reason_code"> & {
  state: ClaimState;
  kind: ClaimKind;
  reason_code: DeclineReason | null;
};

export function asClaim(row: Selectable<Claims>): Claim {
  const { reason_code: reason } = row;
  return {
    ...row,
    state: row.state as ClaimState,
    kind: row.kind as ClaimKind,
    reason_code: reason !== null && isDeclineReason(reason) ? reason : null,
  };
}

/** Locks a claim and returns it. */
export async function lockClaim(trx: Trx, id: string): Promise<Claim | undefined> {
  const row = await trx.selectFrom("claims").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  return row && asClaim(row);
}

/** Returns the id of a claim by the number that people see, for its member alone where one is given. */
export async function claimIdOf(
  db: Db | Trx,
  { publicId, memberId }: { publicId: string; memberId?: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("claims")
    .select("id")
    .where("public_id", "=", publicId)
    .$if(memberId !== undefined, (query) => query.where("member_id", "=", memberId ?? ""))
    .executeTakeFirst();
  return row?.id;
}

export interface ClaimChange {
  state: ClaimState;
  /** `member`, `club`, `retailer`, or the operator's name. */
  by: string;
  note?: string | null;
  now: Date;
  set?: Omit<Updateable<Claims>, "state" | "version">;
}

/**
 * Moves a locked claim to another state, records the change, and plans the deletion of its evidence. The member is written to by
 * announce-claims.server.ts. @throws Error if the lifecycle has no such step
 */
export async function changeClaim(trx: Trx, claim: Claim, { state, by, note, now, set }: ClaimChange): Promise<Claim> {
  if (!canGo(claim.state, state)) throw new Error(`A claim can't go from ${claim.state} to ${state}.`);
  const changed = asClaim(
    await trx
      .updateTable("claims")
      .set({
        next_step_at: now,
        attempts: 0,
        last_error: null,
        given_up_at: null,
        awaits_pack: false,
        ...set,
        state,
        version: claim.version + 1,
        changed_at: now,
      })
      .where("id", "=", claim.id)
      .where("version", "=", claim.version)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  await recordChange(trx, changed, { by, note: note ?? null, now });
  if (isLive(state)) await keepEvidence(trx, claim.id);
  else {
    const days = state === "declined" ? APPEAL_DAYS + KEEP_EVIDENCE_DAYS : KEEP_EVIDENCE_DAYS;
    await scheduleDeletion(trx, { claimId: claim.id, why: "decided", at: addDays(now, days) });
  }
  return changed;
}

export async function recordChange(
  trx: Trx,
  claim: Claim,
  { by, note, now }: { by: string; note: string | null; now: Date },
): Promise<void> {
  await trx
    .insertInto("claim_changes")
    .values({
      claim_id: claim.id,
      version: claim.version,
      state: claim.state,
      made_by: by,
      note: note?.slice(0, 500) ?? null,
      changed_at: now,
      is_to_tell: true,
    })
    .execute();
}

/**
 * Returns whether the network has a claim whose member is asked for more: it asks itself, or had the claim before. It has not what it
 * refused, nor an appeal that is not sent yet.
 */
export async function isWithNetwork(trx: Trx, { id }: Pick<Claim, "id">): Promise<boolean> {
  const [asked, before] = await trx
    .selectFrom("claim_changes")
    .select(["state", "made_by"])
    .where("claim_id", "=", id)
    .orderBy("version", "desc")
    .limit(2)
    .execute();
  return asked?.made_by === "retailer" || before?.state === "filed";
}

/** Holds for a claim, in a query that names it `claim`, whose decline was appealed against: nothing else takes one from declined to open. */
export const isAppealed = sql<boolean>`exists (
  select from claim_changes decline
  join claim_changes appeal on appeal.claim_id = decline.claim_id and appeal.version = decline.version + 1
  where decline.claim_id = claim.id and decline.state = 'declined' and appeal.state = 'open')`;

/** An appeal needs the evidence of the claim. */
async function keepEvidence(trx: Trx, claimId: string): Promise<void> {
  await trx
    .updateTable("attachments")
    .set({ delete_after: null, deleted_why: null })
    .where("claim_id", "=", claimId)
    .where("delete_after", "is not", null)
    .execute();
}
