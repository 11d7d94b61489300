import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { hashSecretTokenAsText, newSecretToken } from "../secrets/secret-token.ts";
import { paths } from "../paths.ts";
import { safeNext } from "./next-path.ts";

/** How long a member has for the second step: enough to find the phone. */
export const LOGIN_STEP_MS = 10 * 60 * 1000;

/**
 * Records that the password was right, until the second step is done. Returns the token that the browser sends with its
 * code; null if an act of recovery has shut the account since the password was checked (`deviceGeneration`).
 */
export async function startLoginStep(
  db: Db,
  {
    brandId,
    memberId,
    deviceGeneration,
    next,
    now,
  }: { brandId: string; memberId: string; deviceGeneration: number; next: string; now: Date },
): Promise<string | null> {
  const token = newSecretToken();
  return await db.transaction().execute(async (trx) => {
    const member = await lockMember(trx, { brandId, memberId });
    if (member?.device_generation !== deviceGeneration) return null;
    await trx
      .insertInto("login_steps")
      .values({
        id: newId(),
        token_hash: hashSecretTokenAsText(token),
        brand_id: brandId,
        member_id: memberId,
        next_path: safeNext(next, paths.profile),
        created_at: now,
        expires_at: new Date(now.getTime() + LOGIN_STEP_MS),
      })
      .execute();
    return token;
  });
}

/** Returns the pending step of a token, or null if it is unknown, expired or another brand's. */
export async function findLoginStep(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ id: string; memberId: string; next: string } | null> {
  const row = await db
    .selectFrom("login_steps")
    .select(["id", "member_id as memberId", "next_path as next"])
    .where("token_hash", "=", hashSecretTokenAsText(token))
    .where("brand_id", "=", brandId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a completed step. Returns false if another request was first. */
export async function endLoginStep(db: Db, { id }: { id: string }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("login_steps").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes steps that were not completed in time; run by a regular job. */
export async function forgetOldLoginSteps(db: Db, { now }: { now: Date }): Promise<void> {
  await db.deleteFrom("login_steps").where("expires_at", "<", now).execute();
}
