import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { queueMail } from "../mails/operations.server.ts";
import { endWorkEmailLinks } from "../members/end-access.server.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";
import { paths, withToken } from "../paths.ts";
import { lockStanding, moveMember } from "./member-standing.server.ts";
import { isWorkEmail, mailboxOf, maySubmit, validUntil, workEmailLimits, type WorkDomain } from "./rules.ts";
import { replaceOpenRequest } from "./submit-proof.server.ts";

const HOUR_MS = 60 * 60 * 1000;

export type WorkEmailRequest =
  | { outcome: "sent" }
  | { outcome: "not-a-work-email" }
  | { outcome: "too-many" }
  | { outcome: "not-now" }
  | { outcome: "unknown" };

/** Sends a link to a work address. The address serves only as proof; sign-in keeps using the member's own. */
export async function requestWorkEmailCheck(
  db: Db,
  { brandId, memberId, email, now }: { brandId: string; memberId: string; email: string; now: Date },
): Promise<WorkEmailRequest> {
  return db.transaction().execute(async (trx): Promise<WorkEmailRequest> => {
    const standing = await lockStanding(trx, { memberId, brandId });
    if (!standing) return { outcome: "unknown" };
    if (!maySubmit({ ...standing, now })) return { outcome: "not-now" };
    if (!isWorkEmail(email, await workDomainsOf(trx, { memberId }))) return { outcome: "not-a-work-email" };
    const mailbox = mailboxOf(email);
    const { mine, there } = await sentToday(trx, { brandId, memberId, mailbox, now });
    if (mine >= workEmailLimits.sendsPerDay || there >= workEmailLimits.sendsPerMailboxPerDay)
      return { outcome: "too-many" };
    const token = newSecretToken();
    await trx
      .insertInto("work_email_checks")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        email,
        mailbox,
        token_hash: hashSecretToken(token),
        requested_at: now,
        expires_at: new Date(now.getTime() + workEmailLimits.linkHours * HOUR_MS),
      })
      .execute();
    const path = withToken(paths.workEmail, token);
    await queueMail(trx, {
      brandId,
      memberId,
      to: email,
      mail: { kind: "work-email-link", path, hours: workEmailLimits.linkHours },
      now,
    });
    return { outcome: "sent" };
  });
}

/**
 * Returns the domains whose mailboxes prove this member's type; none for statuses without an employer, such as retired.
 */
export async function workDomainsOf(db: Db | Trx, { memberId }: { memberId: string }): Promise<WorkDomain[]> {
  const rows = await db
    .selectFrom("members")
    .innerJoin("work_email_domains as known", "known.member_type_id", "members.member_type_id")
    .leftJoin("member_statuses as status", "status.id", "members.member_status_id")
    .select(["known.domain", "known.with_subdomains"])
    .where("members.id", "=", memberId)
    .where((eb) =>
      eb.or([eb("status.hides_organisation_details", "is", null), eb("status.hides_organisation_details", "=", false)]),
    )
    .orderBy("known.domain")
    .execute();
  return rows.map(({ domain, with_subdomains }) => ({ domain, withSubdomains: with_subdomains }));
}

async function sentToday(
  trx: Trx,
  { brandId, memberId, mailbox, now }: { brandId: string; memberId: string; mailbox: string; now: Date },
): Promise<{ mine: number; there: number }> {
  const { rows } = await sql<{ mine: number; there: number }>`
    select count(*) filter (where member_id = ${memberId})::int as mine,
           count(*) filter (where mailbox = ${mailbox})::int as there
    from work_email_checks
    where brand_id = ${brandId} and (member_id = ${memberId} or mailbox = ${mailbox})
      and requested_at > ${new Date(now.getTime() - 24 * HOUR_MS)}`.execute(trx);
  return rows[0] ?? { mine: 0, there: 0 };
}

/** Returns the address of a valid link, without spending it, so that mail scanners spend nothing. */
export async function findWorkEmailCheck(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ email: string } | null> {
  const row = await db
    .selectFrom("work_email_checks")
    .select("email")
    .where("token_hash", "=", hashSecretToken(token))
    .where("brand_id", "=", brandId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

export type WorkEmailConfirmation =
  | { outcome: "accepted"; validUntil: Date }
  /** Also for a member who has been verified since the link was sent: it would add a year. */
  | { outcome: "over" }
  /** The mailbox has already proved another account. */
  | { outcome: "taken" }
  /** The member's type or status has changed since the link was sent. */
  | { outcome: "not-a-work-email" };

/**
 * Spends a link, and the member's others; one mailbox proves one account. A person who reads the mailbox works there, so the
 * request is accepted at once.
 */
export async function confirmWorkEmail(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<WorkEmailConfirmation> {
  return db.transaction().execute(async (trx): Promise<WorkEmailConfirmation> => {
    const hash = hashSecretToken(token);
    const check = await trx
      .selectFrom("work_email_checks")
      .select(["id", "member_id", "email", "mailbox"])
      .where("token_hash", "=", hash)
      .where("brand_id", "=", brandId)
      .executeTakeFirst();
    const standing = check && (await lockStanding(trx, { memberId: check.member_id, brandId }));
    if (!check || !standing) return { outcome: "over" };
    // Two members with one mailbox run one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${brandId} ${check.mailbox}`}, 0))`.execute(trx);
    const stillGood = await trx
      .selectFrom("work_email_checks")
      .select("id")
      .where("id", "=", check.id)
      .where("token_hash", "=", hash)
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (!stillGood) return { outcome: "over" };
    const refusal = maySubmit({ ...standing, now }) ? await refusalOf(trx, { brandId, check }) : "over";
    if (refusal) {
      // Spends the link without keeping the row: rows that stay record that their mailbox has proved an account, and
      // this one has not.
      await trx.deleteFrom("work_email_checks").where("id", "=", check.id).execute();
      return { outcome: refusal };
    }
    await trx.updateTable("work_email_checks").set({ used_at: now }).where("id", "=", check.id).execute();
    await endWorkEmailLinks(trx, { memberId: standing.id, now });
    const until = validUntil({ now, verifiedUntil: standing.verifiedUntil });
    await replaceOpenRequest(trx, { memberId: standing.id, now });
    await trx
      .insertInto("verification_requests")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: standing.id,
        way: "work_email",
        is_renewal: standing.verification === "verified",
        state: "accepted",
        submitted_at: now,
        decided_at: now,
        decided_by: "work e-mail",
        valid_until: until,
      })
      .execute();
    await moveMember(trx, { standing, event: "accept", verifiedUntil: until, now });
    const mail = { kind: "verification-accepted", until: until.toISOString() } as const;
    await queueMail(trx, { brandId, memberId: standing.id, to: standing.email, mail, now });
    return { outcome: "accepted", validUntil: until };
  });
}

/**
 * Returns why a valid link proves nothing: its mailbox has proved another account, or the member's type has changed.
 */
async function refusalOf(
  trx: Trx,
  { brandId, check }: { brandId: string; check: { member_id: string; email: string; mailbox: string } },
): Promise<"taken" | "not-a-work-email" | null> {
  const other = await trx
    .selectFrom("work_email_checks")
    .select("id")
    .where("brand_id", "=", brandId)
    .where("mailbox", "=", check.mailbox)
    .where("member_id", "<>", check.member_id)
    .where("used_at", "is not", null)
    .executeTakeFirst();
  if (other) return "taken";
  return isWorkEmail(check.email, await workDomainsOf(trx, { memberId: check.member_id })) ? null : "not-a-work-email";
}

/**
 * Removes unused links a day after they expire; run by a regular job. Used ones stay, because they record which mailbox
 * has proved which account.
 */
export async function forgetOldWorkEmailChecks(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("work_email_checks")
    .where("used_at", "is", null)
    .where("expires_at", "<", new Date(now.getTime() - 24 * HOUR_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
