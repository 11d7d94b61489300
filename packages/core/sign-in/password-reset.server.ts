import type { Db } from "@farthing/db/client.ts";
import { endAccess } from "../members/end-access.server.ts";
import { spendToken } from "../members/token.server.ts";
import { setPasswordHash, tellOfPassword } from "./change-password.server.ts";

/**
 * Spends a reset token and sets the password. Ends sessions, links and passkeys (recovery-rules.ts), marks the address
 * as verified, and tells its owner. Returns null if the token is invalid.
 */
export async function resetPassword(
  db: Db,
  { brandId, token, hash, now }: { brandId: string; token: string; hash: string; now: Date },
): Promise<{ memberId: string } | null> {
  return await db.transaction().execute(async (trx) => {
    const spent = await spendToken(trx, { brandId, purposes: ["reset-password"], token, now });
    if (!spent) return null;
    const { memberId, email } = spent;
    await setPasswordHash(trx, { brandId, memberId, hash, now });
    await trx
      .updateTable("members")
      .set({ email_verified: true, updated_at: now })
      .where("id", "=", memberId)
      .where("email", "=", email)
      .where("email_verified", "=", false)
      .execute();
    await endAccess(trx, "reset-password", { brandId, memberId, now });
    await tellOfPassword(trx, { brandId, memberId, now });
    return { memberId };
  });
}
