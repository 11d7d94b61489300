import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { queueMail } from "../mails/operations.server.ts";
import { mostEmails } from "./most-emails.ts";
import { tokenLifeMs, tokenPath } from "./token-rules.ts";
import { issueToken } from "./token.server.ts";

export interface OwnEmail {
  id: string;
  email: string;
  isMain: boolean;
  isVerified: boolean;
  /** Since when it is the member's. */
  since: Date;
}

interface OfMember {
  brandId: string;
  memberId: string;
}

/** A member's addresses, the main one first. */
export async function listEmails(db: Db | Trx, { brandId, memberId }: OfMember): Promise<OwnEmail[]> {
  const rows = await db
    .selectFrom("member_emails as known")
    .innerJoin("members as member", "member.id", "known.member_id")
    .select(["known.id", "known.email", "known.verified_at", "known.created_at", "member.email as main"])
    .where("known.member_id", "=", memberId)
    .where("known.brand_id", "=", brandId)
    .orderBy(sql`known.email <> member.email`)
    .orderBy("known.created_at")
    .execute();
  return rows.map(({ id, email, verified_at, created_at, main }) => ({
    id,
    email,
    isMain: email === main,
    isVerified: verified_at !== null,
    since: created_at,
  }));
}

/** Whether an address is already somebody's in a brand, as their main one or another. For registration; never for an answer to a stranger. */
export async function isEmailTaken(
  db: Db | Trx,
  { brandId, email }: { brandId: string; email: string },
): Promise<boolean> {
  const row = await db
    .selectFrom("member_emails")
    .select("id")
    .where("brand_id", "=", brandId)
    .where("email", "=", email)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sends a link to an address that a member wants to add. Of an address that is somebody's, only its mailbox hears: the member is told the same either way.
 * Gives false where the member has as many as one may have.
 */
export async function startAddingEmail(
  db: Db,
  { brandId, memberId, email, now }: OfMember & { email: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const own = await listEmails(trx, { brandId, memberId });
    if (own.length >= mostEmails) return false;
    if (own.some((known) => known.email === email && known.isVerified)) return true;
    const isTaken = !own.some((known) => known.email === email) && (await isEmailTaken(trx, { brandId, email }));
    const token = await issueToken(trx, { brandId, memberId, purpose: "add-email", email, now });
    const path = tokenPath("/confirm-email", token);
    const hours = tokenLifeMs["add-email"] / (60 * 60 * 1000);
    const to = { brandId, to: email, now };
    if (isTaken) await queueMail(trx, { ...to, memberId: null, mail: { kind: "already-registered" } });
    else await queueMail(trx, { ...to, memberId, mail: { kind: "add-email", path, hours } });
    return true;
  });
}

/** The address was proved: it opens the account from now on, and the main one hears of it. False where it has become somebody else's meanwhile. */
export async function finishAddingEmail(
  trx: Trx,
  { brandId, memberId, email, now }: OfMember & { email: string; now: Date },
): Promise<boolean> {
  const emails = await listEmails(trx, { brandId, memberId });
  const main = emails.find(({ isMain }) => isMain);
  if (!main || emails.length >= mostEmails) return false;
  const added = await trx
    .insertInto("member_emails")
    .values({ id: newId(), brand_id: brandId, member_id: memberId, email, verified_at: now, created_at: now })
    .onConflict((conflict) =>
      conflict
        .constraint("member_emails_email")
        .doUpdateSet({ verified_at: now })
        .where("member_emails.member_id", "=", memberId),
    )
    .returning("id")
    .executeTakeFirst();
  if (!added) return false;
  if (main.email !== email)
    await tell(trx, { brandId, memberId, to: main.email, mayUndo: true, change: { what: "added", email }, now });
  return true;
}

/** Makes one of the member's proved addresses the main one; the old one hears of it. False where it is not theirs. */
export async function makeMainEmail(
  db: Db,
  { brandId, memberId, emailId, now }: OfMember & { emailId: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const emails = await listEmails(trx, { brandId, memberId });
    const wanted = emails.find(({ id, isVerified }) => id === emailId && isVerified);
    const main = emails.find(({ isMain }) => isMain);
    if (!wanted || !main) return false;
    if (wanted.isMain) return true;
    await setMain(trx, { brandId, memberId, email: wanted.email, now });
    const change = { what: "main", email: wanted.email } as const;
    await tell(trx, { brandId, memberId, to: main.email, mayUndo: main.since < wanted.since, change, now });
    return true;
  });
}

/** Takes an address away that is not the main one. It hears of it. False where it is not theirs. */
export async function removeEmail(
  db: Db,
  { brandId, memberId, emailId, now }: OfMember & { emailId: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const emails = await listEmails(trx, { brandId, memberId });
    const gone = emails.find(({ id, isMain }) => id === emailId && !isMain);
    const main = emails.find(({ isMain }) => isMain);
    if (!gone || !main) return false;
    await trx.deleteFrom("member_emails").where("id", "=", gone.id).where("member_id", "=", memberId).execute();
    await trx
      .updateTable("member_tokens")
      .set({ used_at: now })
      .where("member_id", "=", memberId)
      .where("email", "=", gone.email)
      .where("purpose", "!=", "undo-email-change")
      .where("used_at", "is", null)
      .execute();
    const change = { what: "removed", email: gone.email } as const;
    if (gone.isVerified)
      await tell(trx, { brandId, memberId, to: gone.email, mayUndo: gone.since < main.since, change, now });
    return true;
  });
}

/** Sets the main address; the trigger of migration 0043 keeps the list of addresses in step. */
export async function setMain(
  trx: Trx,
  { brandId, memberId, email, now }: OfMember & { email: string; now: Date },
): Promise<void> {
  await trx
    .updateTable("members")
    .set({ email, email_verified: true, updated_at: now })
    .where("id", "=", memberId)
    .where("brand_id", "=", brandId)
    .execute();
}

/**
 * Tells an address of a change that takes something from it. With a way back only where it was there before the one that gains: a thief's address, thrown out
 * by the owner, must not take the account from the owner's.
 */
async function tell(
  trx: Trx,
  {
    brandId,
    memberId,
    to,
    mayUndo,
    change,
    now,
  }: OfMember & {
    to: string;
    mayUndo: boolean;
    change: { what: "added" | "main" | "removed"; email: string };
    now: Date;
  },
): Promise<void> {
  const purpose = "undo-email-change";
  const token = mayUndo ? await issueToken(trx, { brandId, memberId, purpose, email: to, now }) : null;
  const link = token === null ? {} : { path: tokenPath("/undo-email-change", token) };
  await queueMail(trx, { brandId, memberId, to, mail: { kind: "email-changed", ...change, ...link }, now });
}
