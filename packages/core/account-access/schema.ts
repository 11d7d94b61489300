import { z } from "zod";

/** Why an operator asks. The member reads it. */
export const accessReasonSchema = z
  .string()
  .trim()
  .min(10, "Say in a sentence what you need to see. The member reads it.")
  .max(500, "Use at most 500 characters.");

/** The public id of a request. */
export const accessIdSchema = z.string().regex(/^[A-Za-z0-9_-]{22}$/);
