import type { z } from "zod";
import { fieldErrors, sayWhatToDo } from "./field-errors.ts";
import type { Problem } from "./problem.ts";

/**
 * Returns the query of a request, checked by `schema`, or 422 with one entry per wrong parameter. A parameter that
 * occurs twice is wrong, because two readers could disagree about it.
 */
export function readQuery<T>(
  request: Request,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; problem: Problem } {
  const query = new URL(request.url).searchParams;
  const names = [...new Set(query.keys())];
  const twice = names.filter((name) => query.getAll(name).length > 1);
  const parsed = schema.safeParse(Object.fromEntries(query), { error: sayWhatToDo });
  const errors = [...twice.map((field) => ({ field, message: "occurs more than once" })), ...fieldErrors(parsed.error)];
  if (parsed.success && errors.length === 0) return { ok: true, value: parsed.data };
  const detail = "Correct the parameters below and send it again.";
  return { ok: false, problem: { status: 422, title: "Not as described", detail, errors } };
}
