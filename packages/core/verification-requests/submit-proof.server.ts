import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ReceivedFile } from "../attachments/rules.ts";
import { scheduleDeletion, storeAttachment } from "../attachments/store.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { lockAskedKind } from "./asked-kinds.server.ts";
import { lockStanding, moveMember } from "./member-standing.server.ts";
import { maySubmit, statesBefore, UPLOADS_PER_HOUR } from "./rules.ts";

export interface NewProof {
  brandId: string;
  memberId: string;
  /** The proof kind that the member chose; null if they did not choose one. */
  proofKind: string | null;
  file: ReceivedFile;
  /** Key that attachments are encrypted with. */
  key: string;
  now: Date;
}

export type SubmitResult =
  | { outcome: "submitted"; publicId: string }
  /** The member is not asked for the chosen kind, or not any more: nothing was stored, and earlier proof stays. */
  | { outcome: "not-asked" }
  | { outcome: "not-now" }
  | { outcome: "unknown" };

/**
 * Stores a member's proof: file, request, standing and mail in one transaction. It replaces earlier proof that is not
 * decided yet.
 */
export async function submitProof(db: Db, proof: NewProof): Promise<SubmitResult> {
  const { brandId, memberId, proofKind, file, key, now } = proof;
  return db.transaction().execute(async (trx): Promise<SubmitResult> => {
    const standing = await lockStanding(trx, { memberId, brandId });
    if (!standing) return { outcome: "unknown" };
    if (!maySubmit({ ...standing, now })) return { outcome: "not-now" };
    const kindId = proofKind === null ? null : await lockAskedKind(trx, { memberId, slug: proofKind });
    if (proofKind !== null && kindId === null) return { outcome: "not-asked" };
    await replaceOpenRequest(trx, { memberId, now });
    const { id, publicId } = await addRequest(trx, { kindId, isRenewal: standing.verification === "verified" });
    await storeAttachment(trx, { owner: { brandId, memberId, requestId: id }, file, key, now });
    await moveMember(trx, { standing, event: "submit", now });
    const mail = { kind: "verification-submitted", isRenewal: standing.verification === "verified" } as const;
    await queueMail(trx, { brandId, memberId, to: standing.email, mail, now });
    return { outcome: "submitted", publicId };
  });

  async function addRequest(
    trx: Trx,
    { kindId, isRenewal }: { kindId: string | null; isRenewal: boolean },
  ): Promise<{ id: string; publicId: string }> {
    const added = await trx
      .insertInto("verification_requests")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        way: "document",
        proof_kind_id: kindId,
        is_renewal: isRenewal,
        state: "submitted",
        submitted_at: now,
      })
      .returning(["id", "public_id"])
      .executeTakeFirstOrThrow();
    return { id: added.id, publicId: added.public_id };
  }
}

/** Replaces the open request of a locked member and releases its file for deletion. */
export async function replaceOpenRequest(trx: Trx, { memberId, now }: { memberId: string; now: Date }): Promise<void> {
  const replaced = await trx
    .updateTable("verification_requests")
    .set({ state: "replaced", decided_at: now, decided_by: "the member" })
    .where("member_id", "=", memberId)
    .where("state", "in", statesBefore("replace"))
    .returning("id")
    .execute();
  for (const { id } of replaced) await scheduleDeletion(trx, { requestId: id, why: "replaced", at: now });
}

/** Counts an upload before it is read, in one statement. Returns false if the member has had `UPLOADS_PER_HOUR`. */
export async function countUpload(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<boolean> {
  const { rows } = await sql<{ tries: number }>`
    insert into upload_tries as counted (member_id, hour, tries) values (${memberId}, ${now}, 1)
    on conflict (member_id) do update set
      tries = case when counted.hour <= excluded.hour - interval '1 hour' then 1 else counted.tries + 1 end,
      hour = case when counted.hour <= excluded.hour - interval '1 hour' then excluded.hour else counted.hour end
    returning tries`.execute(db);
  return (rows[0]?.tries ?? 0) <= UPLOADS_PER_HOUR;
}
