import { z } from "zod";
import { plainText } from "../../catalogue-imports/field-schema.ts";
import { misleadingClaim } from "../../catalogue-imports/misleading-claim.ts";
import { parsePercent, parsePounds, type Pence } from "../../money/money.ts";
import { fromLondon } from "../london-time.ts";
import type { RateTier } from "../rates.ts";

const MAX_CAP: Pence = 100_000_00;
const MAX_FIXED: Pence = 10_000_00;

/** The basis of a rate claims nothing that the club can't prove (C5). */
const basis = plainText(200).refine((text) => misleadingClaim([text]) === null, {
  error: (issue) => misleadingClaim([String(issue.input)]) ?? "claims something without evidence",
});

const cap = z.string().transform((text, context): Pence | null => {
  if (text.trim() === "") return null;
  const pence = parsePounds(text);
  if (pence !== null && pence > 0 && pence <= MAX_CAP) return pence;
  context.addIssue({ code: "custom", message: "must be an amount in pounds, such as 50 or 12.50, up to 100000" });
  return z.NEVER;
});

/** The basis of a rate, such as "on the price without VAT", and the maximum that one purchase earns; null: no maximum. */
export const rateTermsSchema = z.object({ basis, cap });
export type RateTerms = z.infer<typeof rateTermsSchema>;

/** A field for date and time, in London's time. */
const moment = z.string().transform((text, context): Date => {
  const read = fromLondon(text);
  if (read) return read;
  context.addIssue({ code: "custom", message: "must be a date and time of London, such as 30/11/2026 23:59" });
  return z.NEVER;
});

const start = z
  .string()
  .optional()
  .transform((text) => text?.trim() || null)
  .pipe(moment.nullable());

/** Basis points, or pence, as the tier's kind. */
const rates = {
  percent: z.string().transform((text, context): number => {
    const bp = parsePercent(text);
    if (bp !== null) return bp;
    context.addIssue({ code: "custom", message: "must be a percentage such as 12 or 7.5, with two decimals at most" });
    return z.NEVER;
  }),
  fixed: z.string().transform((text, context): number => {
    const pence = parsePounds(text);
    if (pence !== null && pence <= MAX_FIXED) return pence;
    context.addIssue({ code: "custom", message: "must be an amount in pounds, such as 25 or 12.50, up to 10000" });
    return z.NEVER;
  }),
};

/** A boost as operators type it, in the unit of its rate. An empty start is at once; a boost that runs keeps its own. */
export const boostSchemas = {
  percent: z.object({ rate: rates.percent, startsAt: start, endsAt: moment }),
  fixed: z.object({ rate: rates.fixed, startsAt: start, endsAt: moment }),
} as const satisfies Record<RateTier["rateKind"], z.ZodType>;
export type BoostForm = z.infer<typeof boostSchemas.percent>;
