import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueMail } from "../mails/operations.server.ts";
import { listEmails } from "../members/emails.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { lockSignedIn } from "../members/lock-member.server.ts";

/**
 * Sets a password that a member chose while signed in, and ends all other sessions. Returns false if this session has
 * ended in the meantime.
 */
export async function changePassword(
  db: Db,
  {
    brandId,
    memberId,
    sessionId,
    hash,
    now,
  }: { brandId: string; memberId: string; sessionId: string; hash: string; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return false;
    await setPasswordHash(trx, { brandId, memberId, hash, now });
    await endAccess(trx, "change-password", { brandId, memberId, exceptSessionId: sessionId, now });
    await tellOfPassword(trx, { brandId, memberId, now });
    return true;
  });
}

/** Stores a password hash, also for a member who had no password. */
export async function setPasswordHash(
  trx: Db | Trx,
  { brandId, memberId, hash, now }: { brandId: string; memberId: string; hash: string; now: Date },
): Promise<void> {
  await trx
    .insertInto("member_credentials")
    .values({
      id: newId(),
      brand_id: brandId,
      member_id: memberId,
      account_id: memberId,
      provider_id: "credential",
      password: hash,
    })
    .onConflict((conflict) =>
      conflict.columns(["brand_id", "provider_id", "account_id"]).doUpdateSet({ password: hash, updated_at: now }),
    )
    .execute();
}

/**
 * Tells the main address when the password changed and which other addresses open the account: an intruder who added
 * one could set the password again.
 */
export async function tellOfPassword(
  trx: Trx,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<void> {
  const emails = await listEmails(trx, { brandId, memberId });
  const main = emails.find(({ isMain }) => isMain);
  if (!main) return;
  const others = emails.filter(({ isMain, isVerified }) => !isMain && isVerified).map(({ email }) => email);
  const mail = { kind: "password-changed", at: now.toISOString(), others } as const;
  await queueMail(trx, { brandId, memberId, to: main.email, mail, now });
}
