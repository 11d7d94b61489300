import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { mailData, type Mail } from "./mail.ts";
import { recipientSchema } from "./recipient.ts";

export interface QueuedMail {
  /** For callers who look later whether the mail was sent. */
  id?: string;
  brandId: string;
  /** The member whom the mail is about; null for a person without an account. */
  memberId: string | null;
  to: string;
  mail: Mail;
  now: Date;
}

/**
 * Puts a mail into the outbox in the caller's transaction: it is sent if and only if that commits. The worker sends it
 * at least once.
 * @throws ZodError for an address that can't receive mail, or data that does not fit the kind
 */
export async function queueMail(
  db: Db | Trx,
  { id = newId(), brandId, memberId, to, mail, now }: QueuedMail,
): Promise<void> {
  await db
    .insertInto("mails")
    .values({
      id,
      brand_id: brandId,
      member_id: memberId,
      recipient: recipientSchema.parse(to),
      kind: mail.kind,
      data: JSON.stringify(mailData(mail)),
      created_at: now,
      next_try_at: now,
    })
    .execute();
}
