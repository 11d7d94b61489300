import type { Db } from "@farthing/db/client.ts";
import { findShownBalances } from "../ledger/balances.server.ts";
import { moneySentence } from "./money-sentence.ts";

/** Returns what the home page of a member says of their money (D1, C3), from one statement. */
export async function findMoneySentence(db: Db, { memberId }: { memberId: string }): Promise<string> {
  const balances = await findShownBalances(db, { memberId });
  return moneySentence({
    payablePence: balances.member_payable,
    confirmedPence: balances.member_confirmed,
    trackedPence: balances.member_tracked,
    paidPence: balances.member_paid,
  });
}
