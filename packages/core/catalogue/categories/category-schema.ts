import { z } from "zod";
import { plainText } from "../../catalogue-imports/field-schema.ts";

/** A category as operators type it (A2). */
export const categorySchema = z.object({
  name: plainText(80),
  body: plainText(10_000, 0),
  isHidden: z
    .string()
    .optional()
    .transform((value) => value === "yes"),
});
export type CategoryForm = z.infer<typeof categorySchema>;
