import { randomBytes } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { markOfMailbox, rememberMarks } from "./marks.server.ts";
import { findProgramme, type Programme } from "./programmes.server.ts";
import { codeFrom, readCode, shownName } from "./rules.ts";

export interface OwnCode {
  code: string;
  showsFirstName: boolean;
}

/** Returns the code of a member's link, and makes one at the first call. */
export async function findOwnCode(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<OwnCode> {
  await db
    .insertInto("referral_codes")
    .values({ member_id: memberId, brand_id: brandId, code: codeFrom(randomBytes(40)), made_at: now })
    .onConflict((conflict) => conflict.column("member_id").doNothing())
    .execute();
  const row = await db
    .selectFrom("referral_codes")
    .select(["code", "shows_first_name"])
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .executeTakeFirstOrThrow();
  return { code: row.code, showsFirstName: row.shows_first_name };
}

/** Replaces the code of a member's link. The old link ends at once; who has joined through it stays invited. */
export async function replaceCode(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<void> {
  await db
    .updateTable("referral_codes")
    .set({ code: codeFrom(randomBytes(40)), made_at: now })
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .execute();
}

/** Stores whether people who open the link see the member's first name. */
export async function showFirstName(
  db: Db,
  { brandId, memberId, isShown }: { brandId: string; memberId: string; isShown: boolean },
): Promise<void> {
  await db
    .updateTable("referral_codes")
    .set({ shows_first_name: isShown })
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .execute();
}

export interface FoundInvitation {
  code: string;
  inviterId: string;
  /** Null unless the inviter agreed to show it. */
  inviterName: string | null;
  programme: Programme | null;
}

/**
 * Returns what a code stands for at this brand, or null: it is unknown, another brand's, or its member has left or is suspended.
 * Without a programme there is nothing to promise.
 */
export async function findInvitation(
  db: Db | Trx,
  { brandId, code: given, now }: { brandId: string; code: string; now: Date },
): Promise<FoundInvitation | null> {
  const code = readCode(given);
  if (code === null) return null;
  const { rows } = await sql<{ inviterId: string; name: string; showsFirstName: boolean }>`
    select member.id as "inviterId", member.name, shows_first_name as "showsFirstName"
    from referral_codes code join members member on member.id = code.member_id
    where code.brand_id = ${brandId} and code.code = ${code} and member.closed_at is null and member.suspended_at is null and member.email_verified`.execute(
    db,
  );
  const [found] = rows;
  if (!found) return null;
  return {
    code,
    inviterId: found.inviterId,
    inviterName: shownName(found),
    programme: await findProgramme(db, { brandId, now }),
  };
}

/** Who invited the person behind an unfinished registration. */
export interface DraftInvitation {
  inviterId: string;
  programmeId: string;
  browserMark: Buffer | null;
}

/**
 * Records in the transaction of the registration that a new member was invited, with a bonus for each side (C8). Nobody
 * invites themselves: an address that leads to the inviter's own mailbox brings nothing.
 */
export async function recordReferral(
  trx: Trx,
  {
    brandId,
    memberId,
    email,
    draftId,
    secret,
    now,
  }: { brandId: string; memberId: string; email: string; draftId: string; secret: string; now: Date },
): Promise<void> {
  const { rows } = await sql<
    DraftInvitation & { friendPence: number; inviterPence: number; qualifyUntil: Date; emails: string[] }
  >`
    select inviter.id as "inviterId", programme.id as "programmeId", draft.browser_mark as "browserMark",
      programme.friend_pence as "friendPence", programme.inviter_pence as "inviterPence", 
      ((${now}::timestamptz at time zone 'Europe/London')::date + programme.within_days + 1)::timestamp at time zone 'Europe/London' as "qualifyUntil",
      array(select email from member_emails where member_id = inviter.id) as emails
    from registration_drafts draft
    join members inviter on inviter.id = draft.inviter_id and inviter.brand_id = draft.brand_id and inviter.closed_at is null and inviter.suspended_at is null
    join referral_programmes programme on programme.id = draft.referral_programme_id and programme.brand_id = draft.brand_id
    where draft.id = ${draftId} and draft.brand_id = ${brandId} and inviter.id <> ${memberId}`.execute(trx);
  const [invited] = rows;
  if (!invited) return;
  const mailbox = markOfMailbox(email, secret);
  if (invited.emails.some((own) => markOfMailbox(own, secret).equals(mailbox))) return;
  await rememberMarks(trx, { brandId, memberId, marks: { browser: invited.browserMark, mailbox }, now });
  const referralId = newId();
  await trx
    .insertInto("referrals")
    .values({
      id: referralId,
      brand_id: brandId,
      programme_id: invited.programmeId,
      inviter_id: invited.inviterId,
      member_id: memberId,
      registered_at: now,
      qualify_until: invited.qualifyUntil,
    })
    .execute();
  const row = { brand_id: brandId, referral_id: referralId, state: "invited", changed_at: now } as const;
  const bonuses = [
    { ...row, id: newId(), member_id: memberId, side: "friend", amount_pence: invited.friendPence },
    { ...row, id: newId(), member_id: invited.inviterId, side: "inviter", amount_pence: invited.inviterPence },
  ];
  await trx
    .insertInto("bonuses")
    .values(bonuses.filter(({ amount_pence }) => amount_pence > 0))
    .execute();
  // For the reminder and the end; what the friend does wakes it sooner.
  await trx.insertInto("referral_watches").values({ referral_id: referralId, next_look_at: now }).execute();
}
