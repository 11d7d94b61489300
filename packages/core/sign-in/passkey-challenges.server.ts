import type { Db, Trx } from "@farthing/db/client.ts";
import { hashSecretTokenAsText } from "../secrets/secret-token.ts";

/** Spends a challenge. Returns true the first time, and false for a challenge that was answered before. */
export async function spendChallenge(
  db: Db | Trx,
  { challenge, expiresAt }: { challenge: string; expiresAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("spent_challenges")
    .values({ challenge_hash: hashSecretTokenAsText(challenge), expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("challenge_hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Removes challenges that have expired; run by a regular job. */
export async function forgetOldChallenges(db: Db, { now }: { now: Date }): Promise<void> {
  await db.deleteFrom("spent_challenges").where("expires_at", "<", now).execute();
}
