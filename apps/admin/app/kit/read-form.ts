import type { z } from "zod";

/** What was typed, as text, so that the form can be shown again with nothing lost. */
export type Typed = Readonly<Record<string, string>>;
export type Faults = Readonly<Record<string, string>>;

export type ReadForm<Value> = { ok: true; value: Value; typed: Typed } | { ok: false; typed: Typed; faults: Faults };

/** Reads a posted form with the schema that core has for it. A fault is in words, by the name of its field. */
export async function readForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<ReadForm<z.output<Schema>>> {
  return checkForm(typedIn(await request.formData()), schema);
}

export function checkForm<Schema extends z.ZodType>(typed: Typed, schema: Schema): ReadForm<z.output<Schema>> {
  const parsed = schema.safeParse(typed);
  if (parsed.success) return { ok: true, value: parsed.data, typed };
  const faults: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) faults[String(path[0] ?? "form")] ??= message;
  return { ok: false, typed, faults };
}

/** The fields of a form that are text; of a name that occurs several times the last. */
export function typedIn(form: FormData): Typed {
  const typed: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === "string") typed[name] = value;
  return typed;
}
