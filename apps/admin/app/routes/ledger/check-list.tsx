import type { ListedCheck } from "@farthing/core/books/check-books.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

/** Checks of the books as a list. */
export const checkListing: List<ListedCheck, "checked"> = {
  name: "book-checks",
  path: "/admin/ledger/checks",
  csvPath: "/admin/ledger/checks.csv",
  rows: "checks",
  sorts: ["checked"],
  defaultSort: "-checked",
  keyOf: ({ publicId }) => publicId,
  nameOf: ({ publicId }) => `check ${publicId}`,
  filters: [],
  columns: [
    {
      key: "at",
      label: "When",
      sort: "checked",
      cell: ({ checkedAt }) => <Moment at={checkedAt} />,
      csv: ({ checkedAt }) => checkedAt,
    },
    { key: "by", label: "By", cell: ({ checkedBy }) => checkedBy, csv: ({ checkedBy }) => checkedBy },
    {
      key: "found",
      label: "Found",
      cell: ({ faults }) => <Found faults={faults} />,
      csv: ({ faults }) => (faults.length === 0 ? "balanced" : faults.join(" ")),
    },
    {
      key: "transfers",
      label: "Transfers",
      isNumber: true,
      cell: ({ transfers }) => transfers,
      csv: ({ transfers }) => transfers,
    },
    { key: "entries", label: "Entries", isNumber: true, cell: ({ entries }) => entries, csv: ({ entries }) => entries },
    {
      key: "accounts",
      label: "Accounts",
      isNumber: true,
      cell: ({ accounts }) => accounts,
      csv: ({ accounts }) => accounts,
    },
    {
      key: "took",
      label: "Took",
      isNumber: true,
      cell: ({ tookMs }) => seconds(tookMs),
      csv: ({ tookMs }) => seconds(tookMs),
    },
  ],
};

/** Returns how long a check took: `2.5 s`. */
export const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Whether a check found faults, and how many. */
export function Found({ faults }: { faults: readonly string[] }) {
  return faults.length === 0 ? (
    <Badge tone="good">balanced</Badge>
  ) : (
    <Badge tone="bad">
      {faults.length} {faults.length === 1 ? "fault" : "faults"}
    </Badge>
  );
}
