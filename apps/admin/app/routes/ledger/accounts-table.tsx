import { accountWords } from "@farthing/core/ledger/account-words.ts";
import type { LedgerAccount } from "@farthing/core/ledger/browse.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";

/** Accounts with what they hold and their balances. */
export function AccountsTable({ accounts, label }: { accounts: readonly LedgerAccount[]; label: string }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={`Table of ${label}`}>
      <table className="rows">
        <caption className="away">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Holds</th>
            <th scope="col" className="number">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ id, kind, owner, balancePence }) => (
            <tr key={id}>
              <td>
                <a href={`/admin/ledger/accounts/${id}`}>
                  {owner?.kind === "network" && `${owner.name}: `}
                  {accountWords[kind].name}
                </a>
              </td>
              <td className="soft">{accountWords[kind].holds}</td>
              <td className="number">
                <Amount pence={balancePence} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
