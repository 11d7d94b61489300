/** A retailer's claim rule as operators type it (C7). */
import { z } from "zod";
import type { ClaimRule } from "./rules.ts";

/** The latest first and last day that can be set; the table `claim_rules` has the same limits. */
const MAX_FIRST_DAY = 365;
const MAX_LAST_DAY = 730;

const firstDay = `Give a whole number of days from 0 to ${MAX_FIRST_DAY}, or “usual”.`;
const lastDay = `Give a whole number of days from 1 to ${MAX_LAST_DAY}.`;

const days = (min: number, max: number, fault: string) =>
  z
    .string(fault)
    .trim()
    .regex(/^\d{1,3}$/, { error: fault, abort: true })
    .transform(Number)
    .pipe(z.number().min(min, fault).max(max, fault));

/** The first day is a number, or "usual" or nothing: what is usual at the retailer. The last day comes after it. */
export const claimRuleSchema = z
  .object({
    from: z.union(
      [
        z
          .string()
          .trim()
          .regex(/^(?:usual)?$/i)
          .transform(() => null),
        days(0, MAX_FIRST_DAY, firstDay),
      ],
      firstDay,
    ),
    to: days(1, MAX_LAST_DAY, lastDay),
    evidence: z.enum(["yes", "no"], "Choose whether a claim needs evidence."),
  })
  .refine(({ from, to }) => from === null || from < to, {
    path: ["to"],
    message: "The last day has to be after the first.",
  })
  .transform(({ from, to, evidence }): ClaimRule => ({
    ...{ opensAfterDays: from, closesAfterDays: to, needsEvidence: evidence === "yes" },
  }));

/** Returns a rule as the fields of its form, which claimRuleSchema reads again. */
export function typedOfRule({ opensAfterDays, closesAfterDays, needsEvidence }: ClaimRule) {
  return {
    from: opensAfterDays === null ? "" : String(opensAfterDays),
    to: String(closesAfterDays),
    evidence: needsEvidence ? "yes" : "no",
  };
}
