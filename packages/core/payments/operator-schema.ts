import { z } from "zod";
import { parsePounds } from "../money/money.ts";

/** A refund as an operator types it. An empty amount means all that is left. */
export const refundSchema = z.object({
  amount: z
    .string()
    .trim()
    .transform((text, context) => {
      if (text === "") return null;
      const pence = parsePounds(text);
      if (pence !== null && pence > 0) return pence;
      context.addIssue("Enter an amount in pounds, such as 5 or 4.50, or nothing for all that is left.");
      return z.NEVER;
    }),
  /** The payment's version that the operator saw: the same form refunds once, however often it is sent. */
  version: z.coerce.number().int().min(0),
  why: z
    .string()
    .trim()
    .min(1, "Say why, in a few words. Leave out names: the log is kept for good.")
    .max(500, "Use at most 500 characters."),
});
