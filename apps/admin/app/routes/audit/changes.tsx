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
          {name.replaceAll("_", " ")}: {before && <del>{shownValue(before[name])}</del>}{" "}
          {after && <ins>{shownValue(after[name])}</ins>}
        </li>
      ))}
    </ul>
  );
}

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(shownValue).join(", ") || "none";
  if (typeof value === "object") {
    const parts = Object.entries(value).map(([name, part]) => `${name.replaceAll("_", " ")} ${shownValue(part)}`);
    return parts.join("; ") || "none";
  }
  return String(value as string | number);
}
