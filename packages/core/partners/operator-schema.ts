/** Forms with which operators look after partners (W10). */
import { z } from "zod";
import { partnerModes } from "./mode.ts";
import { isPartnerOrigin } from "./rules.ts";

const ORIGIN_FAULT = "Give an origin as browsers write it, such as https://shop.example: no path, no final slash.";
const origin = z.string().trim().max(255, ORIGIN_FAULT).refine(isPartnerOrigin, ORIGIN_FAULT);

export const originSchema = z.object({ origin });
export const modeSchema = z.object({ mode: z.enum(partnerModes, "Choose live or test.") });
export const webhookSchema = modeSchema.extend({
  url: z.string().trim().min(1, "Give the address that gets the events.").max(2000, "Use at most 2,000 characters."),
});

const MAX_ORIGINS = 20;
const MAX_PER_MINUTE = 100_000;
const PER_MINUTE_FAULT = "Give a whole number from 1 to 100,000.";

const name = z.string().trim().min(1, "Enter the partner’s name.").max(100, "Use at most 100 characters.");

export const changedPartnerSchema = z.object({
  name,
  per_minute: z.coerce
    .number(PER_MINUTE_FAULT)
    .int(PER_MINUTE_FAULT)
    .min(1, PER_MINUTE_FAULT)
    .max(MAX_PER_MINUTE, PER_MINUTE_FAULT),
});

export const newPartnerSchema = z.object({
  name,
  origins: z.string().transform((text, context) => {
    const lines = [...new Set(text.split(/\s+/).filter(Boolean))];
    const wrong = lines.find((line) => !originSchema.safeParse({ origin: line }).success);
    if (lines.length >= 1 && lines.length <= MAX_ORIGINS && wrong === undefined) return lines;
    context.addIssue(
      wrong === undefined ? `Give 1 to ${MAX_ORIGINS} origins, one a line.` : `${wrong}: ${ORIGIN_FAULT}`,
    );
    return z.NEVER;
  }),
});
