import type { Db } from "@farthing/db/client.ts";
import { removeBankDetails } from "../bank-details/operations.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { spendToken } from "../members/token.server.ts";
import { removePayee } from "./operations.server.ts";

/**
 * Follows "This was not me" in the mail about changed details: removes them, and the account of a last payout, once. Whoever changed one of
 * them may have changed both, and one link spends all. False: the link is over.
 */
export async function disownBankDetails(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const found = await spendToken(trx, { brandId, purposes: ["remove-bank-details"], token, now });
    if (!found) return false;
    const member = await lockMember(trx, { brandId, memberId: found.memberId });
    if (!member) return false;
    await removeBankDetails(trx, { memberId: found.memberId });
    await removePayee(trx, { memberId: found.memberId, now });
    return true;
  });
}
