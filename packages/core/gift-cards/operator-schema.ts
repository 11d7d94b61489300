/** Forms with which operators look after gift cards (G4, G5). */
import { z } from "zod";
import { formatPence, parsePounds } from "../money/money.ts";

const MAX_FLOAT_PENCE = 100_000_000;

export const floatSchema = z.object({
  issuer: z.string().min(1, "Choose the issuer."),
  amount: z.string().transform((text, context) => {
    const pence = parsePounds(text.trim().replace(/^£\s*/, ""));
    if (pence !== null && pence > 0 && pence <= MAX_FLOAT_PENCE) return pence;
    context.addIssue(`Enter the amount in pounds, such as 2500.00; at most ${formatPence(MAX_FLOAT_PENCE)}.`);
    return z.NEVER;
  }),
  reference: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,60}$/, "Enter the bank’s reference: at most 60 letters, digits, dots, hyphens or underscores."),
});

export const stopSchema = z.object({
  because: z
    .string()
    .trim()
    .min(3, "Say why in at least 3 characters. Owners of cards read it.")
    .max(500, "Use at most 500 characters: owners of cards read all of it."),
});

export const rewardSchema = z.object({
  kind: z.enum(["discount", "cashback"], "Choose discount or cashback."),
  percent: z.string().transform((text, context) => {
    const basisPoints = parsePounds(text.trim().replace(/\s*%$/, ""));
    if (basisPoints !== null && basisPoints >= 0 && basisPoints <= 10_000) return basisPoints;
    context.addIssue("Enter per cent, such as 4.5.");
    return z.NEVER;
  }),
});
