import type { z } from "zod";

/** Returns what a problem says about each wrong field. A field that the schema does not have is named too. */
export function fieldErrors(error: z.ZodError | undefined): { field: string; message: string }[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== "unrecognized_keys") return [{ field: path.map(String).join("."), message }];
    return issue.keys.map((key) => ({
      field: [...path, key].map(String).join("."),
      message: "There is no such field: leave it out.",
    }));
  });
}
