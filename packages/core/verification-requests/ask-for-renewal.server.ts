import type { Trx } from "@farthing/db/client.ts";
import { lockStanding } from "./member-standing.server.ts";
import { addDays, verificationDays } from "./rules.ts";

/**
 * What a membership rests on has changed: proof is asked for anew. The card stays valid for a month, or until somebody has decided (complaints 8); a membership that ends
 * sooner ends as it would have. Gives until when, or null for members who have to send proof anyway.
 */
export async function askForRenewal(
  trx: Trx,
  { memberId, now }: { memberId: string; now: Date },
): Promise<Date | null> {
  const standing = await lockStanding(trx, { memberId });
  if (standing?.verification !== "verified") return null;
  const until = addDays(now, verificationDays.notice);
  if (standing.verifiedUntil && standing.verifiedUntil <= until) return standing.verifiedUntil;
  await trx.updateTable("members").set({ verified_until: until, updated_at: now }).where("id", "=", memberId).execute();
  return until;
}
