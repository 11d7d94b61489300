import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { DraftInvitation } from "../invitations/operations.server.ts";
import { hashSecretTokenAsText, newSecretToken } from "../secrets/secret-token.ts";
import { DRAFT_DAYS } from "./rules.ts";

export interface Draft {
  id: string;
  email: string;
  memberTypeId: string;
  memberStatusId: string;
  /** The input to step two so far, by the names of its fields. */
  answers: Record<string, string>;
  isCompleted: boolean;
}

/** Stores the result of step one and returns the token, which only the browser keeps. */
export async function startDraft(
  db: Db,
  draft: {
    brandId: string;
    email: string;
    passwordHash: string;
    memberTypeId: string;
    memberStatusId: string;
    /** Who invited the person; null: nobody, or a draft that this one replaces knows. */
    invitation?: DraftInvitation | null;
    /** The token of the draft that this one replaces. */
    replaces: string | null;
    now: Date;
  },
): Promise<string> {
  const token = newSecretToken();
  await db.transaction().execute(async (trx) => {
    // A person who starts again keeps their answers to step two.
    const old =
      draft.replaces === null
        ? undefined
        : await trx
            .deleteFrom("registration_drafts")
            .where("token_hash", "=", hashSecretTokenAsText(draft.replaces))
            .where("brand_id", "=", draft.brandId)
            .returning(["email", "answers", "inviter_id", "referral_programme_id", "browser_mark"])
            .executeTakeFirst();
    await trx
      .insertInto("registration_drafts")
      .values({
        id: newId(),
        brand_id: draft.brandId,
        token_hash: hashSecretTokenAsText(token),
        email: draft.email,
        password_hash: draft.passwordHash,
        member_type_id: draft.memberTypeId,
        member_status_id: draft.memberStatusId,
        answers: JSON.stringify(old?.email === draft.email ? old.answers : {}),
        ...invitationColumns(draft.invitation ?? null, old),
        created_at: draft.now,
        expires_at: new Date(draft.now.getTime() + DRAFT_DAYS * 24 * 60 * 60 * 1000),
      })
      .execute();
  });
  return token;
}

/** A person who starts again stays invited. */
function invitationColumns(
  invitation: DraftInvitation | null,
  old?: { inviter_id: string | null; referral_programme_id: string | null; browser_mark: Buffer | null },
) {
  return invitation
    ? {
        inviter_id: invitation.inviterId,
        referral_programme_id: invitation.programmeId,
        browser_mark: invitation.browserMark,
      }
    : {
        inviter_id: old?.inviter_id ?? null,
        referral_programme_id: old?.referral_programme_id ?? null,
        browser_mark: old?.browser_mark ?? null,
      };
}

/** Returns the draft of a token, or null if it is unknown, expired or another brand's. */
export async function findDraft(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<Draft | null> {
  const row = await db
    .selectFrom("registration_drafts")
    .select(["id", "email", "member_type_id", "member_status_id", "answers", "completed_at"])
    .where("token_hash", "=", hashSecretTokenAsText(token))
    .where("brand_id", "=", brandId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    email: row.email,
    memberTypeId: row.member_type_id,
    memberStatusId: row.member_status_id,
    answers: row.answers as Record<string, string>,
    isCompleted: row.completed_at !== null,
  };
}

/**
 * Stores the input to step two until it is sent or the draft expires. Removes control characters, including NUL, which
 * PostgreSQL refuses.
 */
export async function keepAnswers(
  db: Db,
  {
    draftId,
    memberTypeId,
    memberStatusId,
    answers,
  }: { draftId: string; memberTypeId: string; memberStatusId: string; answers: Record<string, string> },
): Promise<void> {
  const kept = Object.fromEntries(
    Object.entries(answers).map(([name, text]) => [name, text.replace(/[\p{Cc}\p{Cs}]/gu, "")]),
  );
  await db
    .updateTable("registration_drafts")
    .set({ member_type_id: memberTypeId, member_status_id: memberStatusId, answers: JSON.stringify(kept) })
    .where("id", "=", draftId)
    .where("completed_at", "is", null)
    .execute();
}

/** Removes expired drafts and counts; run by a regular job. Counts expire by the database's clock (tries.server.ts). */
export async function forgetOldDrafts(db: Db, { now }: { now: Date }): Promise<void> {
  await db.deleteFrom("registration_drafts").where("expires_at", "<", now).execute();
  await db
    .deleteFrom("registration_tries")
    .where("resets_at", "<", sql<Date>`now()`)
    .execute();
}
