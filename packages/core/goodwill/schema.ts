import { z } from "zod";
import { parsePounds } from "../money/money.ts";
import { goodwillReasons } from "./rules.ts";

const note = z
  .string()
  .trim()
  .min(3, "Say why, in 3 to 500 characters, for whoever looks at it later.")
  .max(500, "Say why, in 3 to 500 characters, for whoever looks at it later.");

/** A credit as an operator types it. */
export const newGoodwillSchema = z.object({
  amount: z.string().transform((text, context) => {
    const pence = parsePounds(text.trim());
    if (pence !== null && pence > 0) return pence;
    context.addIssue("Enter an amount in pounds, such as 5 or 4.50.");
    return z.NEVER;
  }),
  reason: z.enum(goodwillReasons, "Choose a reason: the member reads it."),
  reference: z
    .string()
    .trim()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/,
      "Enter a reference of your own, such as a ticket: letters, digits and . _ / - only.",
    ),
  note,
});

/** Why a credit is taken back. */
export const reversalSchema = z.object({ reference: z.string().max(100), why: note });
