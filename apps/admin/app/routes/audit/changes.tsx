import { formatPence } from "@farthing/core/money/money.ts";
import { momentText } from "../../kit/moment.tsx";

type State = Record<string, unknown> | null;

/** What differs between two states of a record: each field, before and after. */
export function Changes({ before, after }: { before: State; after: State }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => shownValue(before?.[name]) !== shownValue(after?.[name]));
  if (changed.length === 0) return <span className="soft">no change of what the log keeps</span>;
  return (
    <ul className="changes">
      {changed.map((name) => (
        <li key={name}>
          {nameInWords(name)}: {before && <del>{shownValue(before[name], name)}</del>}{" "}
          {after && <ins>{shownValue(after[name], name)}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** The unit is with the value. */
export const nameInWords = (name: string) => name.replace(/_pence$/, "").replaceAll("_", " ");

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** Returns a value of a record in words. `name` is that of its column: of one in pence, the value is money. */
export function shownValue(value: unknown, name = ""): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "number" && name.endsWith("_pence")) return formatPence(value);
  if (typeof value === "string" && MOMENT.test(value) && !Number.isNaN(Date.parse(value)))
    return momentText(new Date(value));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((part) => shownValue(part)).join(", ") || "none";
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${nameInWords(name)} ${shownValue(part, name)}`);
    return parts.join("; ") || "none";
  }
  return String(value as string | number);
}
