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
