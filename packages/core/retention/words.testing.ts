import { ACCOUNTS_DAYS, type End, type Retention } from "./rules.ts";

const SPANS: Record<number, string> = {
  [1 / 24]: "an hour",
  1: "a day",
  365: "a year",
  731: "two years",
  1097: "three years",
  [ACCOUNTS_DAYS]: "seven years",
};

export function spanOf(days: number): string {
  return SPANS[days] ?? `${days} days`;
}

function wordsOf(end: End): string {
  switch (end.when) {
    case "replaced":
      return "until it is changed or removed";
    case "never":
      return "as long as the club runs";
    case "member-leaves":
      return "until the member leaves";
    case "with":
      return `as long as its row of \`${end.table}\``;
    case "done":
      return "until the work is done";
    case "after":
    case "term": {
      const [by, removed] = end.when === "term" ? ["retention", end.empties?.called] : [end.by, end.only];
      const when = end.days === 0 ? `once ${end.of}` : `${spanOf(end.days)} after ${end.of}`;
      return `${removed === undefined ? when : `${removed}: ${when}`} (${by})`;
    }
  }
}

/** Returns the cells of a table's line in docs/operations/retention.md: the table, what it holds, how long, and why. */
export function cellsOf(table: string, { holds, ends, why = "" }: Retention): string[] {
  return [`\`${table}\``, holds, ends.map(wordsOf).join("; "), why];
}
