import { accountWords } from "@farthing/core/ledger/account-words.ts";
import type { LedgerAccount } from "@farthing/core/ledger/browse.server.ts";

/** What an account is called: its kind, and whose it is. */
export function accountText({ kind, owner }: Pick<LedgerAccount, "kind" | "owner">): string {
  const { name } = accountWords[kind];
  return owner === null ? name : `${name}, ${owner.kind} ${owner.name}`;
}

export function AccountLink({ account }: { account: Pick<LedgerAccount, "id" | "kind" | "owner"> }) {
  return <a href={`/admin/ledger/accounts/${account.id}`}>{accountText(account)}</a>;
}

/** `payout_requested` as words. */
export const kindText = (kind: string) => kind.replaceAll("_", " ");
