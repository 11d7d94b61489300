import type { Db } from "@farthing/db/client.ts";
import { takeBackAddresses } from "../members/emails.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { requestPasswordReset } from "./reset-requests.server.ts";
import { spendToken } from "../members/token.server.ts";

/**
 * "That was not me": returns a member's account to the address that got the notice, which becomes the main one again.
 * Removes everything that opened the account, however old: the password, passkeys, two-step sign-in, later addresses,
 * sessions and links. Two-step sign-in is included, because the person who changed the addresses has passed it. Cancels
 * a requested closure and requests a reset link. Returns null if the token is invalid, and if another account has the
 * address; that leaves the link unspent.
 */
export async function undoEmailChange(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ email: string } | null> {
  try {
    return await db.transaction().execute(async (trx) => {
      const spent = await spendToken(trx, { brandId, purposes: ["undo-email-change"], token, now });
      if (!spent) return null;
      const { memberId, email } = spent;
      // Links from before this column exist have no time: they count as earlier than all others.
      const mainSince = spent.mainSince ?? new Date(0);
      if (!(await takeBackAddresses(trx, { brandId, memberId, email, mainSince, now }))) throw new AddressTaken();
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
  } catch (error) {
    if (error instanceof AddressTaken) return null;
    throw error;
  }
}

/** Rolls the transaction back. */
class AddressTaken extends Error {}
