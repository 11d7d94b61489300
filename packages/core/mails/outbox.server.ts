import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { nextMailTry } from "./rules.ts";

export interface DueMail {
  id: string;
  brandId: string;
  recipient: string;
  kind: string;
  data: unknown;
  /** Tries so far, the present one included. */
  attempts: number;
}

/**
 * Takes the mails that are due, oldest first. Whoever takes one has `leaseMs` to settle it; after that it is due again, so a process that is killed between
 * sending and settling loses nothing, and a mailbox may get a mail twice, under one Message-ID.
 */
export async function claimDueMails(
  db: Db,
  { now, leaseMs, most }: { now: Date; leaseMs: number; most: number },
): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    update mails set next_try_at = ${new Date(now.getTime() + leaseMs)}, attempts = attempts + 1
    where id in (select id from mails where state = 'waiting' and next_try_at <= ${now}
                 order by next_try_at limit ${most} for update skip locked)
    returning id, brand_id as "brandId", recipient, kind, data, attempts`.execute(db);
  return rows;
}

export type MailOutcome =
  /** The subject is kept, so that the member can see what they were sent. */
  { outcome: "sent"; subject?: string } | { outcome: "failed"; error: string; isForGood: boolean };

/** Writes down how a try went. What the mail said is wiped once it is sent or given up: it may have held a token. */
export async function settleMail(
  db: Db,
  { id, attempts, now, ...result }: Pick<DueMail, "id" | "attempts"> & { now: Date } & MailOutcome,
): Promise<"sent" | "waiting" | "given-up"> {
  const next = result.outcome === "failed" && !result.isForGood ? nextMailTry(attempts, now) : null;
  const state = result.outcome === "sent" ? "sent" : next ? "waiting" : "given-up";
  await db
    .updateTable("mails")
    .set({
      state,
      next_try_at: next,
      settled_at: state === "waiting" ? null : now,
      last_error: result.outcome === "failed" ? result.error.slice(0, 500) : null,
      ...(state === "waiting" ? {} : { data: "{}" }),
      ...(result.outcome === "sent" && result.subject ? { subject: result.subject.slice(0, 500) } : {}),
    })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute();
  return state;
}

/** When the next mail is due, or null. */
export async function nextMailDue(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom("mails")
    .select("next_try_at")
    .where("state", "=", "waiting")
    .orderBy("next_try_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_try_at ?? null;
}

/** Removes mails settled more than 90 days ago; for a regular job. */
export async function forgetOldMails(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom("mails")
    .where("settled_at", "<", new Date(now.getTime() - 90 * 86_400_000))
    .execute();
}
