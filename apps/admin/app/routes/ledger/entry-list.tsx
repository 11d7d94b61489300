import { decimalPounds } from "@farthing/core/money/money.ts";
import type { AccountEntry } from "@farthing/core/ledger/browse.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { kindText } from "./account-name.tsx";

/** The entries of one account as a list. */
export function entryListing(accountId: string): List<AccountEntry, "posted"> {
  return {
    name: "ledger-entries",
    path: `/admin/ledger/accounts/${accountId}`,
    csvPath: `/admin/ledger/accounts/${accountId}/entries.csv`,
    rows: "entries",
    sorts: ["posted"],
    defaultSort: "-posted",
    keyOf: ({ transferId }) => transferId,
    nameOf: ({ transferId }) => `the entry of transfer ${transferId}`,
    filters: [],
    columns: [
      {
        key: "recorded",
        label: "Posted",
        sort: "posted",
        cell: ({ recordedAt }) => <Moment at={recordedAt} />,
        csv: ({ recordedAt }) => recordedAt,
      },
      {
        key: "happened",
        label: "Happened",
        cell: ({ happenedAt }) => <Moment at={happenedAt} />,
        csv: ({ happenedAt }) => happenedAt,
      },
      {
        key: "transfer",
        label: "Transfer",
        cell: ({ transferId, kind }) => <a href={`/admin/ledger/transfers/${transferId}`}>{kindText(kind)}</a>,
        csv: ({ transferId }) => transferId,
      },
      {
        key: "amount",
        label: "Amount",
        isNumber: true,
        cell: ({ amountPence }) => <Amount pence={amountPence} />,
        csv: ({ amountPence }) => Number(decimalPounds(amountPence)),
      },
    ],
  };
}
