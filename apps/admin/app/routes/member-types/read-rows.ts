import type { z } from "zod";
import type { Typed } from "../../kit/read-form.ts";

/** Rows of a form: fields are named `<kind>.<key>.<column>`; the key is the row's id, or begins with "new". */

export const rowField = (kind: string, key: string, column: string) => `${kind}.${key}.${column}`;

/** How many rows to fill in a form offers besides the stored ones. */
export const NEW_ROWS = 2;

export const newKeys = (of = "") => Array.from({ length: NEW_ROWS }, (_, at) => `new${of}${at}`);

export type ReadRow<Value> = { id: string | null; key: string } & Value;

/**
 * Reads the rows of a kind whose `name` is filled in; one without is new and unused, or to be removed. Faults are added by
 * field.
 */
export function readRows<Schema extends z.ZodType<object>>(
  typed: Typed,
  kind: string,
  { schema, name, faults }: { schema: Schema; name: string; faults: Record<string, string> },
): ReadRow<z.output<Schema>>[] {
  const rows = new Map<string, Record<string, string>>();
  for (const [field, value] of Object.entries(typed)) {
    const [of, key = "", column = ""] = field.split(".");
    if (of !== kind || column === "") continue;
    rows.set(key, { ...rows.get(key), [column]: value });
  }
  return [...rows].flatMap(([key, row]) => {
    if (!row[name]?.trim()) return [];
    const read = schema.safeParse(row);
    if (read.success) return [{ id: key.startsWith("new") ? null : key, key, ...read.data }];
    for (const { path, message } of read.error.issues)
      faults[rowField(kind, key, String(path[0] ?? name))] ??= `${row[name]?.trim()}: ${message}`;
    return [];
  });
}
