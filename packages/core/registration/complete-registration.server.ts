import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { recordReferral } from "../invitations/operations.server.ts";
import { findOwner, mailToOwner } from "../members/emails.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { startEmailConfirmation } from "../sign-in/email-confirmation.server.ts";
import { paths } from "../paths.ts";
import type { Draft } from "./drafts.server.ts";
import type { MemberStatusChoice, MemberTypeChoice } from "../member-types/rules.ts";
import type { Details } from "./read-registration.ts";
import { consentWording } from "./rules.ts";
import { countRegistration } from "./tries.server.ts";

export interface Completion {
  brand: { id: string; name: string };
  draft: Draft;
  type: MemberTypeChoice;
  status: MemberStatusChoice;
  details: Details;
  now: Date;
  /** Key of the hash under which mails to an address are counted. */
  secret: string;
}

/** How long the page "Check your inbox" knows the address: as long as a person looks for the mail. */
const REMEMBERED_MS = 60 * 60 * 1000;

/** Where a new member continues after confirming their e-mail address. */
const AFTER_CONFIRMING = paths.verification;

/**
 * Creates the member with password, consents and the confirmation mail in one transaction; if the address already has
 * an account, mails its owner instead. The result does not say which, so that registration reveals no members (S1). A
 * draft is spent once, however often it is sent.
 */
export async function completeRegistration(db: Db, completion: Completion): Promise<void> {
  try {
    await db.transaction().execute((trx) => complete(trx, completion));
  } catch (error) {
    // Another request took the address between the check and the insert: run again, now that there is an account.
    if (!isTaken(error)) throw error;
    await db.transaction().execute((trx) => complete(trx, completion));
  }
}

async function complete(trx: Trx, completion: Completion): Promise<void> {
  const { brand, draft, now, secret } = completion;
  const spent = await spendDraft(trx, completion);
  if (spent === null) return;
  const brandId = brand.id;
  const mailsWait = await countRegistration(trx, { what: "mails", brandId, of: draft.email, secret });
  const known = await findOwner(trx, { brandId, email: draft.email, now });
  const memberId = known === null ? await addMember(trx, completion) : null;
  if (memberId === null) {
    const mail = known ? mailToOwner(known) : ({ kind: "already-registered" } as const);
    const owner = known?.memberId ?? null;
    if (mailsWait === 0) await queueMail(trx, { brandId, memberId: owner, to: draft.email, mail, now });
    return;
  }
  await addCredential(trx, { brandId, memberId, passwordHash: spent.passwordHash });
  await addConsents(trx, memberId, completion);
  await recordReferral(trx, { brandId, memberId, email: draft.email, draftId: draft.id, secret, now });
  const { browserHash } = spent;
  await startEmailConfirmation(trx, {
    brandId,
    memberId,
    email: draft.email,
    next: AFTER_CONFIRMING,
    browserHash,
    now,
  });
}

/**
 * Sends the mail of a completed registration again: the link to an address that is still unconfirmed, or else the mail to
 * the owner of the account. At most as many a day as registrations send; the result does not say what was sent (S1).
 */
export async function sendRegistrationMailAgain(
  db: Db,
  { brandId, email, now, secret }: { brandId: string; email: string; now: Date; secret: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await countRegistration(trx, { what: "mails", brandId, of: email, secret })) > 0) return;
    const member = await trx
      .selectFrom("members")
      .select("id")
      .where("brand_id", "=", brandId)
      .where("email", "=", email)
      .where("email_verified", "=", false)
      .where("suspended_at", "is", null)
      .where("closed_at", "is", null)
      .executeTakeFirst();
    if (!member) {
      const owner = await findOwner(trx, { brandId, email, now });
      if (owner) await queueMail(trx, { brandId, memberId: owner.memberId, to: email, mail: mailToOwner(owner), now });
      return;
    }
    // The browser that registered the account stays the one whose password stands, whoever asks for the mail.
    const registered = await trx
      .selectFrom("member_tokens")
      .select("browser_hash as browserHash")
      .where("member_id", "=", member.id)
      .where("purpose", "=", "confirm-email")
      .where("browser_hash", "is not", null)
      .orderBy("created_at", "desc")
      .executeTakeFirst();
    const browserHash = registered?.browserHash ?? null;
    const confirmation = { brandId, memberId: member.id, email, next: AFTER_CONFIRMING, browserHash, now };
    await startEmailConfirmation(trx, confirmation);
  });
}

/**
 * Takes the password out of the draft, together with the hash that identifies the browser. Of two concurrent requests
 * one gets them and the other null.
 */
async function spendDraft(
  trx: Trx,
  { draft, now }: Completion,
): Promise<{ passwordHash: string; browserHash: string } | null> {
  const row = await trx
    .selectFrom("registration_drafts")
    .select(["password_hash", "token_hash"])
    .where("id", "=", draft.id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.password_hash === null) return null;
  await trx
    .updateTable("registration_drafts")
    .set({ completed_at: now, password_hash: null, answers: "{}", expires_at: new Date(now.getTime() + REMEMBERED_MS) })
    .where("id", "=", draft.id)
    .execute();
  return { passwordHash: row.password_hash, browserHash: row.token_hash };
}

/** Inserts the member and returns their id; null if the address has been taken in the meantime. */
async function addMember(trx: Trx, { brand, draft, type, status, details }: Completion): Promise<string | null> {
  const role =
    details.jobRoleNumber === null
      ? undefined
      : await trx
          .selectFrom("job_roles")
          .select("id")
          .where("public_number", "=", details.jobRoleNumber)
          .executeTakeFirst();
  const id = newId();
  const added = await trx
    .insertInto("members")
    .values({
      id,
      brand_id: brand.id,
      email: draft.email,
      name: details.name,
      member_type_id: type.id,
      member_status_id: status.id,
      job_role_id: role?.id ?? null,
      date_of_birth: details.dateOfBirth,
      stated_member_id: details.statedMemberId,
      residence: details.residence,
      additional_fields: JSON.stringify(details.additionalAnswers),
    })
    .onConflict((conflict) => conflict.columns(["brand_id", "email"]).doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 0n ? null : id;
}

/** Stores the password's hash under the member's id, where logins look for it. */
async function addCredential(
  trx: Trx,
  { brandId, memberId, passwordHash }: { brandId: string; memberId: string; passwordHash: string },
): Promise<void> {
  await trx
    .insertInto("member_credentials")
    .values({
      id: newId(),
      brand_id: brandId,
      member_id: memberId,
      account_id: memberId,
      provider_id: "credential",
      password: passwordHash,
    })
    .execute();
}

async function addConsents(trx: Trx, memberId: string, { brand, details, now }: Completion): Promise<void> {
  const kinds = details.wantsOffers ? (["terms", "offers-by-email"] as const) : (["terms"] as const);
  await trx
    .insertInto("member_consents")
    .values(
      kinds.map((kind) => ({
        id: newId(),
        brand_id: brand.id,
        member_id: memberId,
        kind,
        wording: consentWording(kind, brand.name),
        given_at: now,
      })),
    )
    .execute();
}

function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === "23505" && constraint === "member_emails_email";
}
