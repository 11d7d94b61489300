import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Mail } from "../mails/mail.ts";
import { queueMail } from "../mails/operations.server.ts";
import { paths, withToken } from "../paths.ts";
import { mayTakeBack, titlesLost } from "./email-rules.ts";
import { endAccess } from "./end-access.server.ts";
import { lockMember, lockSignedIn } from "./lock-member.server.ts";
import { MAX_EMAILS } from "./max-emails.ts";
import { tokenLifeMs } from "./token-rules.ts";
import { issueToken } from "./token.server.ts";

export interface OwnEmail {
  id: string;
  email: string;
  isMain: boolean;
  isVerified: boolean;
  /** Since when the address has been, or had been, the main one; null if it was only ever added. */
  mainSince: Date | null;
}

interface OfMember {
  brandId: string;
  memberId: string;
}

/** Returns a member's addresses, the main one first. */
export async function listEmails(db: Db | Trx, { brandId, memberId }: OfMember): Promise<OwnEmail[]> {
  const rows = await db
    .selectFrom("member_emails as known")
    .innerJoin("members as member", "member.id", "known.member_id")
    .select(["known.id", "known.email", "known.verified_at", "known.main_since", "member.email as main"])
    .where("known.member_id", "=", memberId)
    .where("known.brand_id", "=", brandId)
    .orderBy(sql`known.email <> member.email`)
    .orderBy("known.created_at")
    .execute();
  return rows.map(({ id, email, verified_at, main_since, main }) => ({
    id,
    email,
    isMain: email === main,
    isVerified: verified_at !== null,
    mainSince: main_since,
  }));
}

export interface AddressOwner {
  memberId: string;
  /** The address was removed from the account, and a link in its mailbox can take it back until then; null: it is theirs. */
  heldUntil: Date | null;
}

/**
 * Returns the member who has the address at the brand; null: nobody has. An address that was removed still counts as the
 * member's while the link that takes it back is valid: a thief who registered it would make that link useless (S1).
 */
export async function findOwner(
  db: Db | Trx,
  { brandId, email, now }: { brandId: string; email: string; now: Date },
): Promise<AddressOwner | null> {
  const { rows } = await sql<AddressOwner>`
    select member_id as "memberId", null::timestamptz as "heldUntil" from member_emails
    where brand_id = ${brandId} and email = ${email}
    union all
    select link.member_id, link.expires_at from member_tokens link join members member on member.id = link.member_id
    where link.brand_id = ${brandId} and link.email = ${email} and link.purpose = 'undo-email-change'
      and link.used_at is null and link.expires_at > ${now} and member.suspended_at is null
    order by "heldUntil" desc nulls first limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the mail to an address that somebody has, for whoever wants an account with it: only the mailbox is told. */
export function mailToOwner({ heldUntil }: AddressOwner): Mail {
  return { kind: "already-registered", ...(heldUntil && { heldUntil: heldUntil.toISOString() }) };
}

/**
 * Sends a link to an address that a member wants to add. If the address belongs to another member, only its mailbox is
 * told; the answer to the member is the same. Returns false if the member already has `MAX_EMAILS` addresses.
 */
export async function startAddingEmail(
  db: Db,
  { brandId, memberId, sessionId, email, now }: OfMember & { sessionId: string; email: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return false;
    const own = await listEmails(trx, { brandId, memberId });
    if (own.length >= MAX_EMAILS) return false;
    if (own.some((known) => known.email === email && known.isVerified)) return true;
    const owner = await findOwner(trx, { brandId, email, now });
    const token = await issueToken(trx, { brandId, memberId, purpose: "add-email", email, now });
    const path = withToken(paths.confirmEmail, token);
    const hours = tokenLifeMs["add-email"] / (60 * 60 * 1000);
    const to = { brandId, to: email, now };
    if (owner && owner.memberId !== memberId)
      await queueMail(trx, { ...to, memberId: owner.memberId, mail: mailToOwner(owner) });
    else await queueMail(trx, { ...to, memberId, mail: { kind: "add-email", path, hours } });
    return true;
  });
}

/**
 * Adds an address whose owner followed the link; it opens the account from now on, and the main address is told.
 * Returns false if the address now belongs to another member.
 */
export async function finishAddingEmail(
  trx: Trx,
  { brandId, memberId, email, now }: OfMember & { email: string; now: Date },
): Promise<boolean> {
  await lockMember(trx, { brandId, memberId });
  const emails = await listEmails(trx, { brandId, memberId });
  const main = emails.find(({ isMain }) => isMain);
  if (!main || emails.length >= MAX_EMAILS) return false;
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
  const change = { what: "added", email } as const;
  if (main.email !== email)
    await tell(trx, {
      brandId,
      memberId,
      to: main,
      wayBack: mayTakeBack(main, { gaining: null, others: emails, now }),
      change,
      now,
    });
  return true;
}

/**
 * Makes one of the member's verified addresses the main one, and tells the old one. Returns false if the address is
 * not theirs.
 */
export async function makeMainEmail(
  db: Db,
  { brandId, memberId, sessionId, emailId, now }: OfMember & { sessionId: string; emailId: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return false;
    const emails = await listEmails(trx, { brandId, memberId });
    const wanted = emails.find(({ id, isVerified }) => id === emailId && isVerified);
    const main = emails.find(({ isMain }) => isMain);
    if (!wanted || !main) return false;
    if (wanted.isMain) return true;
    const wayBack = mayTakeBack(main, { gaining: wanted, others: emails, now });
    const lost = titlesLost(wanted, { main, others: emails, now });
    if (lost.length > 0)
      await trx.updateTable("member_emails").set({ main_since: null }).where("id", "in", lost).execute();
    await setMain(trx, { brandId, memberId, email: wanted.email, now });
    const change = { what: "main", email: wanted.email } as const;
    await tell(trx, { brandId, memberId, to: main, wayBack, change, now });
    return true;
  });
}

/**
 * Removes an address that is not the main one, and tells it. Ends all other sessions of the member, because the owner
 * of the address may have opened one. Returns false if the address is not theirs.
 */
export async function removeEmail(
  db: Db,
  { brandId, memberId, sessionId, emailId, now }: OfMember & { sessionId: string; emailId: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return false;
    const emails = await listEmails(trx, { brandId, memberId });
    const gone = emails.find(({ id, isMain }) => id === emailId && !isMain);
    const main = emails.find(({ isMain }) => isMain);
    if (!gone || !main) return false;
    await trx.deleteFrom("member_emails").where("id", "=", gone.id).where("member_id", "=", memberId).execute();
    await endAccess(trx, "remove-email", { brandId, memberId, exceptSessionId: sessionId, now });
    const wayBack = mayTakeBack(gone, { gaining: main, others: emails, now });
    const change = { what: "removed", email: gone.email } as const;
    if (gone.isVerified) await tell(trx, { brandId, memberId, to: gone, wayBack, change, now });
    return true;
  });
}

/**
 * Returns the account to an address: it becomes the main one and counts as verified. Only addresses that were the main
 * one before it remain; the others are told. Returns false if the address now belongs to another member.
 */
export async function takeBackAddresses(
  trx: Trx,
  { brandId, memberId, email, mainSince, now }: OfMember & { email: string; mainSince: Date; now: Date },
): Promise<boolean> {
  const own = await trx
    .insertInto("member_emails")
    .values({
      id: newId(),
      brand_id: brandId,
      member_id: memberId,
      email,
      verified_at: now,
      created_at: mainSince,
      main_since: mainSince,
    })
    .onConflict((conflict) =>
      conflict
        .constraint("member_emails_email")
        .doUpdateSet((existing) => ({
          main_since: mainSince,
          verified_at: existing.fn.coalesce("member_emails.verified_at", existing.val(now)),
        }))
        .where("member_emails.member_id", "=", memberId),
    )
    .returning("id")
    .executeTakeFirst();
  if (!own) return false;
  await setMain(trx, { brandId, memberId, email, now });
  const gone = await trx
    .deleteFrom("member_emails")
    .where("member_id", "=", memberId)
    .where("id", "!=", own.id)
    .where((row) => row.or([row("main_since", "is", null), row("main_since", ">=", mainSince)]))
    .returning(["email", "verified_at"])
    .execute();
  for (const { email: to, verified_at } of gone)
    if (verified_at)
      await tell(trx, {
        brandId,
        memberId,
        to: { email: to, mainSince: null },
        wayBack: false,
        change: { what: "removed", email: to },
        now,
      });
  return true;
}

/** Sets the main address. The trigger keep_main_email keeps the list of addresses in step. */
async function setMain(
  trx: Trx,
  { brandId, memberId, email, now }: OfMember & { email: string; now: Date },
): Promise<void> {
  await trx
    .updateTable("member_emails")
    .set({ main_since: now })
    .where("member_id", "=", memberId)
    .where("email", "=", email)
    .where("main_since", "is", null)
    .execute();
  await trx
    .updateTable("members")
    .set({ email, email_verified: true, updated_at: now })
    .where("id", "=", memberId)
    .where("brand_id", "=", brandId)
    .execute();
}

/**
 * Tells an address about a change that takes something from it, with a link to undo the change if it may have
 * one (email-rules.ts).
 */
async function tell(
  trx: Trx,
  {
    brandId,
    memberId,
    to,
    wayBack,
    change,
    now,
  }: OfMember & {
    to: { email: string; mainSince: Date | null };
    wayBack: boolean;
    change: { what: "added" | "main" | "removed"; email: string };
    now: Date;
  },
): Promise<void> {
  const { email, mainSince } = to;
  const token = wayBack
    ? await issueToken(trx, { brandId, memberId, purpose: "undo-email-change", email, mainSince, now })
    : null;
  const link = token === null ? {} : { path: withToken(paths.undoEmailChange, token) };
  await queueMail(trx, { brandId, memberId, to: email, mail: { kind: "email-changed", ...change, ...link }, now });
}
