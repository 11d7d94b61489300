import type { Db } from "@farthing/db/client.ts";
import { takeBackAddresses } from "../members/emails.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { requestPasswordReset } from "./password-reset.server.ts";
import { spendToken } from "../members/token.server.ts";

/**
 * "That was not me": gives a member's account back to the address the notice went to. That address is the main one again. Everything that opened the account goes:
 * the password, passkeys, two-step sign-in, later addresses, sessions and links, however long they have been there. Two-step sign-in is no exception, as whoever
 * changed the addresses has passed it. A closure that was asked for is off, and a link to choose a new password is on its way. Null where the token is not good.
 */
export async function undoEmailChange(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ email: string } | null> {
  return await db.transaction().execute(async (trx) => {
    const spent = await spendToken(trx, { brandId, purposes: ["undo-email-change"], token, now });
    if (!spent) return null;
    const { memberId, email } = spent;
    // A link from before this was kept: as if it came before all others.
    const mainSince = spent.mainSince ?? new Date(0);
    if (!(await takeBackAddresses(trx, { brandId, memberId, email, mainSince, now }))) return null;
    await endAccess(trx, "undo-email-change", { brandId, memberId, now });
    await trx
      .updateTable("closures")
      .set((eb) => ({ state: "cancelled", cancelled_at: now, version: eb("version", "+", 1) }))
      .where("member_id", "=", memberId)
      .where("state", "=", "requested")
      .execute();
    await requestPasswordReset(trx, { brandId, email, now });
    return { email };
  });
}
