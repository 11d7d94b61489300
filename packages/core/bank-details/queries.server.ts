import type { Db, Trx } from "@farthing/db/client.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { endingOf } from "./bank-account.ts";
import { openBankAccount, UnreadableDetailsError } from "./bank-seal.ts";

/** What a member sees of their bank details. */
export interface BankDetailsView {
  name: string;
  /** The last digits of the account number. */
  accountEnding: string;
  changedAt: Date;
  /** Until then nothing is paid to the account; null once that is over. */
  heldUntil: Date | null;
}

/** `unreadable`: the details are there and can't be decrypted, so the member has to give them again. */
export async function findBankDetails(
  db: Db | Trx,
  { memberId, keys, now }: { memberId: string; keys: SecretKeys; now: Date },
): Promise<BankDetailsView | "unreadable" | null> {
  const row = await db
    .selectFrom("bank_details")
    .select(["sealed", "changed_at", "usable_from"])
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  if (!row) return null;
  try {
    const account = openBankAccount(row.sealed, memberId, keys);
    return {
      name: account.name,
      accountEnding: endingOf(account),
      changedAt: row.changed_at,
      heldUntil: row.usable_from > now ? row.usable_from : null,
    };
  } catch (error) {
    if (error instanceof UnreadableDetailsError) return "unreadable";
    throw error;
  }
}
