import type { Db } from "@farthing/db/client.ts";
import { storeBankDetails, type ChangedDetails } from "../bank-details/operations.server.ts";
import { holdForBankDetails } from "./holds.server.ts";

/**
 * Stores the account that a member's money goes to (C6), and holds the bonuses that it puts in question (C8). Nothing is paid to it for 72
 * hours, and a mail tells the member. The account that is there already changes nothing. `signed-out`: the session has ended.
 */
export async function changeBankDetails(
  db: Db,
  details: ChangedDetails,
): Promise<Awaited<ReturnType<typeof storeBankDetails>>> {
  return db.transaction().execute(async (trx) => {
    const outcome = await storeBankDetails(trx, details);
    if (outcome === "changed") await holdForBankDetails(trx, details);
    return outcome;
  });
}
