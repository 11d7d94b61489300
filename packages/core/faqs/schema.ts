import { z } from "zod";
import { brandFeatures } from "../brands/schema.ts";

/** In characters; the rest is cut off. */
const MAX_QUERY_LENGTH = 200;

/** `?q=` of the FAQ pages: trimmed, at most 200 characters, empty where it is missing. */
export const faqQuery = z
  .string()
  .nullish()
  .transform((text) => (text ?? "").trim().slice(0, MAX_QUERY_LENGTH));

const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,79}$/);

/** packages/db/seeds/faqs.json: the questions that every brand starts with. */
export const faqSeed = z.array(
  z.strictObject({
    slug,
    name: z.string().min(1).max(60),
    faqs: z.array(
      z.strictObject({
        slug,
        question: z.string().min(1).max(200),
        /** Plain text: an empty line begins a paragraph, lines that begin with "- " are a list. {brand} and {support} are replaced by the brand's. */
        answer: z.string().min(1).max(10_000),
        feature: brandFeatures.keyof().optional(),
      }),
    ),
  }),
);

/** A subject as an operator types it. */
const subjectFields = {
  name: z
    .string()
    .trim()
    .refine(
      (text) => text.length >= 1 && text.length <= 60 && !/[\u0000-\u001f\u007f]/.test(text),
      "Use 1 to 60 characters on one line.",
    ),
  position: z.coerce
    .number("Give a whole number.")
    .int("Give a whole number.")
    .min(0, "Give 0 or more.")
    .max(9999, "Give at most 9999."),
  isHidden: z
    .string()
    .optional()
    .transform((value) => value === "yes"),
};
export const subjectStatement = z.object(subjectFields);
export type SubjectStatement = z.infer<typeof subjectStatement>;

export const newSubject = z.object({
  ...subjectFields,
  /** The slug of a brand that has it alone, or in place of the shared one; empty: every brand. */
  brand: z.string().transform((text) => text || null),
  slug: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{1,39}$/, "Use 2 to 40 lower-case letters, digits and dashes: how-payouts-work"),
});
export type NewSubject = z.infer<typeof newSubject>;

/** A question as an operator types it. Browsers send line ends as CRLF. */
export const faqStatement = z.object({
  /** The slug of a brand that has it alone; empty: every brand. */
  brand: z.string().transform((text) => text || null),
  category: z.string().min(1, "Choose a subject."),
  slug: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{1,79}$/, "Use 2 to 80 lower-case letters, digits and dashes: how-payouts-work"),
  question: z
    .string()
    .trim()
    .refine(
      (text) => text.length >= 1 && text.length <= 200 && !/[\u0000-\u001f\u007f]/.test(text),
      "Use 1 to 200 characters on one line.",
    ),
  answer: z
    .string()
    .transform((text) => text.replaceAll("\r\n", "\n").trim())
    .refine((text) => text.length >= 1 && text.length <= 10_000, "Use 1 to 10,000 characters."),
  feature: z
    .string()
    .transform((text) => text || null)
    .pipe(brandFeatures.keyof().nullable().catch(null)),
  position: z.coerce
    .number("Give a whole number.")
    .int("Give a whole number.")
    .min(0, "Give 0 or more.")
    .max(9999, "Give at most 9999."),
});
export type FaqStatement = z.infer<typeof faqStatement>;
