import type { z } from "zod";

/**
 * Says what to do about a value whose schema says nothing of its own (an error map of zod). The library's words are for those who read the schema.
 */
export const sayWhatToDo: z.core.$ZodErrorMap = (issue) => {
  const { code } = issue;
  if (code === "invalid_type")
    return issue.input === undefined
      ? "This is required: give it."
      : `Give ${KINDS[issue.expected] ?? "a value of the documented type"}.`;
  if (code === "invalid_value")
    return issue.values.length === 1
      ? `Give ${String(issue.values[0])}.`
      : `Give one of: ${issue.values.map(String).join(", ")}.`;
  if (code === "too_big") return `Give at most ${issue.maximum}${ofWhat(issue.origin)}.`;
  if (code === "too_small") return `Give at least ${issue.minimum}${ofWhat(issue.origin)}.`;
  return "Give a value of the documented form.";
};

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number, without quotes",
  int: "a whole number, without quotes",
  boolean: "true or false, without quotes",
  array: "a list",
  object: "a JSON object",
};

const ofWhat = (origin: string) => (origin === "string" ? " characters" : origin === "array" ? " entries" : "");

/** Returns what a problem says about each wrong field; `body` is the whole of it. A field that the schema does not have is named too. */
export function fieldErrors(error: z.ZodError | undefined): { field: string; message: string }[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== "unrecognized_keys") return [{ field: path.map(String).join(".") || "body", message }];
    return issue.keys.map((key) => ({
      field: [...path, key].map(String).join("."),
      message: "There is no such field: leave it out.",
    }));
  });
}
