import type { Trx } from "@farthing/db/client.ts";
import { issueToken } from "../members/token.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { paths, withToken } from "../paths.ts";
import { endingOf, type BankAccount } from "./bank-account.ts";

export interface ChangedAccount {
  brandId: string;
  memberId: string;
  email: string;
  account: BankAccount;
  /** Nothing is paid to the account before. */
  usableFrom: Date;
  now: Date;
}

/** Tells a member that their money goes to another account, with a link that removes it again (C6). */
export async function announceChange(trx: Trx, changed: ChangedAccount): Promise<void> {
  const { brandId, memberId, email, account, usableFrom, now } = changed;
  const token = await issueToken(trx, { brandId, memberId, purpose: "remove-bank-details", email, now });
  await queueMail(trx, {
    brandId,
    memberId,
    to: email,
    mail: {
      kind: "bank-details-changed",
      accountEnding: endingOf(account),
      usableFrom: usableFrom.toISOString(),
      path: withToken(paths.removeBankDetails, token),
    },
    now,
  });
}
