import type { Trx } from "@farthing/db/client.ts";
import { lockStanding } from "./member-standing.server.ts";
import { addDays, verificationDays } from "./rules.ts";

/**
 * Asks for new proof after a change of details that the membership depends on. The card stays valid for a month or
 * until a decision (M4); a membership that ends earlier still does. Returns the last valid moment, or null for members
 * who have to send proof anyway.
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
