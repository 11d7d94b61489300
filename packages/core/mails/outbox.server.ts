import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type ClaimOptions, type FailedState, type Lease } from "../due-work/due-work.server.ts";
import type { Mail } from "./mail.ts";
import { nextMailAttempt } from "./rules.ts";

interface MailToSend {
  brandId: string;
  recipient: string;
  kind: string;
  data: unknown;
}

export type DueMail = MailToSend & Lease;

/** A mail's data is wiped once it is sent or given up: it may hold a token. */
const WIPED = "{}";
const MAX_SUBJECT_LENGTH = 500;
const KEPT_DAYS = 90;
/**
 * For addresses of people who are not members, such as a present's receiver. Mails and pages promise them less than 30 days. A present
 * looks at its mail until it has left or was given up, so the row stays for some days after that.
 */
const NON_MEMBERS_DAYS = 14;
/** Its mail says that we do not keep the address. */
const NOT_KEPT = "no-account" satisfies Mail["kind"];

/** Mails on their way out (M9). A mailbox may get a mail twice, under one Message-ID. */
export const dueMails = openDueWork<MailToSend>()({
  table: "mails",
  id: "id",
  dueAt: "next_try_at",
  attempts: "attempts",
  lastError: "last_error",
  isOpen: sql`work.state = 'waiting'`,
  columns: sql`work.brand_id as "brandId", work.recipient, work.kind, work.data`,
  nextAttempt: nextMailAttempt,
  bury: (now) => ({ state: "given-up", next_try_at: null, settled_at: now, data: WIPED }),
  isBuried: sql`work.state = 'given-up'`,
});

export function claimDueMails(db: Db, options: ClaimOptions): Promise<DueMail[]> {
  return dueMails.claim(db, options);
}

/** Writes that a mail was sent, and keeps its subject, so that the member can see what they were sent. */
export function settleSentMail(
  db: Db,
  { mail, subject, now }: { mail: DueMail; subject: string; now: Date },
): Promise<boolean> {
  return dueMails.settle(db, mail, {
    state: "sent",
    next_try_at: null,
    settled_at: now,
    data: WIPED,
    subject: subject.slice(0, MAX_SUBJECT_LENGTH) || null,
  });
}

/** Writes that a mail could not be sent. `isPermanent`: the mail server refused it for good. */
export function failMail(
  db: Db,
  { mail, ...failed }: { mail: DueMail; error: string; isPermanent: boolean; now: Date },
): Promise<FailedState> {
  return dueMails.fail(db, mail, failed);
}

/**
 * Removes mails that were sent or given up: members' after 90 days, other people's after 14, and at once one that told an address that
 * it has no account. For a regular job.
 */
export async function forgetOldMails(db: Db, { now }: { now: Date }): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await db
    .deleteFrom("mails")
    .where("member_id", "is", null)
    .where("settled_at", "is not", null)
    .where((is) => is.or([is("kind", "=", NOT_KEPT), is("settled_at", "<", ago(NON_MEMBERS_DAYS))]))
    .execute();
  await db.deleteFrom("mails").where("settled_at", "<", ago(KEPT_DAYS)).execute();
}
