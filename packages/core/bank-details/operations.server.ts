import type { Db, Trx } from "@farthing/db/client.ts";
import { lockSignedIn } from "../members/lock-member.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { announceChange } from "./announce-change.server.ts";
import { endingOf, HOLD_MS, isSameAccount, type BankAccount } from "./bank-account.ts";
import { markOfAccount, openBankAccount, sealBankAccount, UnreadableDetailsError } from "./bank-seal.ts";

export interface ChangedDetails {
  brandId: string;
  memberId: string;
  /** The session that the member acts in: nothing changes once it has ended. */
  sessionId: string;
  account: BankAccount;
  keys: SecretKeys;
  now: Date;
}

/**
 * Stores the account that a member's money goes to (C6), for referrals/change-bank-details.server.ts. Nothing is paid to it for 72 hours, and a
 * mail tells the member, with a link that removes it again. The account that is there already changes nothing. `signed-out`: the session has ended.
 */
export async function storeBankDetails(
  trx: Trx,
  { brandId, memberId, sessionId, account, keys, now }: ChangedDetails,
): Promise<"changed" | "same" | "signed-out"> {
  const member = await lockSignedIn(trx, { brandId, memberId, sessionId });
  if (!member || member.closed_at) return "signed-out";
  const before = await trx
    .selectFrom("bank_details")
    .select("sealed")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  if (before && isSame(before.sealed, { account, memberId, keys })) return "same";
  const row = {
    sealed: sealBankAccount(account, memberId, keys),
    account_mark: markOfAccount(account, keys),
    changed_at: now,
    usable_from: new Date(now.getTime() + HOLD_MS),
  };
  await trx
    .insertInto("bank_details")
    .values({ member_id: memberId, brand_id: brandId, ...row })
    .onConflict((conflict) => conflict.column("member_id").doUpdateSet(row))
    .execute();
  await announceChange(trx, { brandId, memberId, email: member.email, account, usableFrom: row.usable_from, now });
  return "changed";
}

function isSame(sealed: string, { account, memberId, keys }: Pick<ChangedDetails, "account" | "memberId" | "keys">) {
  try {
    return isSameAccount(openBankAccount(sealed, memberId, keys), account);
  } catch (error) {
    if (error instanceof UnreadableDetailsError) return false;
    throw error;
  }
}

/** Removes a member's bank details; what was asked for and is not on its way waits for new ones. */
export async function removeBankDetails(db: Db | Trx, { memberId }: { memberId: string }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("bank_details").where("member_id", "=", memberId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the account that a member's money goes to, whose digits no page shows; null if there is none, or it can't be decrypted. */
export async function openBankDetails(
  db: Db | Trx,
  { memberId, keys }: { memberId: string; keys: SecretKeys },
): Promise<BankAccount | null> {
  const row = await db.selectFrom("bank_details").select("sealed").where("member_id", "=", memberId).executeTakeFirst();
  if (!row) return null;
  try {
    return openBankAccount(row.sealed, memberId, keys);
  } catch (error) {
    if (error instanceof UnreadableDetailsError) return null;
    throw error;
  }
}

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
