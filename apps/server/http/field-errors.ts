import type { z } from "zod";

/**
 * Says what to do about a value whose schema says nothing of its own (an error map of zod). The library's words are for those who read the schema.
 */
export const sayWhatToDo: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "This is required: give it.";
      return `Give ${KINDS[issue.expected] ?? "a value of the documented type"}.`;
    case "invalid_value":
      if (issue.values.length === 1) return `Give ${String(issue.values[0])}.`;
      return `Give one of: ${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return `Give at most ${issue.maximum}${ofWhat(issue.origin)}.`;
    case "too_small":
      return `Give at least ${issue.minimum}${ofWhat(issue.origin)}.`;
    default:
      return "Give a value of the documented form.";
  }
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
