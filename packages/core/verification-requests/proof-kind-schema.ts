import { z } from "zod";
import { drawings } from "./schema.ts";

/** What operators type about a proof kind. */

const noControls = (text: string) => !/[\u0000-\u001f\u007f]/.test(text);
/** Text of one paragraph: line ends and runs of spaces become one space. */
const paragraph = (max: number) =>
  z
    .string()
    .transform((text) => text.trim().replaceAll(/\s+/g, " "))
    .refine((text) => text.length <= max && noControls(text), `Use at most ${max} characters.`);

const MAX_PARTS = 10;

const proofKindFields = {
  name: z
    .string()
    .trim()
    .refine((text) => text.length >= 1 && text.length <= 80 && noControls(text), "Use 1 to 80 characters on one line."),
  help: paragraph(300),
  /** What has to be readable, one a line. Browsers send line ends as CRLF. */
  shows: z
    .string()
    .transform((text) =>
      text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    )
    .refine((parts) => parts.length >= 1, "Say at least one thing that has to be readable.")
    .refine((parts) => parts.length <= MAX_PARTS, `Use at most ${MAX_PARTS} lines.`)
    .refine(
      (parts) => parts.every((part) => part.length <= 80 && noControls(part)) && new Set(parts).size === parts.length,
      "Each line differs from the others and has at most 80 characters.",
    ),
  hides: paragraph(300),
  drawing: z.enum(drawings, "Choose a drawing of the list."),
  /** A box to tick: absent where it is not. */
  isGeneral: z
    .string()
    .optional()
    .transform((value) => value === "yes"),
  position: z.coerce
    .number("Give a whole number.")
    .int("Give a whole number.")
    .min(0, "Give 0 or more.")
    .max(9999, "Give at most 9999."),
};

export const proofKindStatement = z.object(proofKindFields);
export type ProofKindStatement = z.infer<typeof proofKindStatement>;

export const newProofKind = z.object({
  ...proofKindFields,
  slug: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9_]{1,39}$/, "Use 2 to 40 lower-case letters, digits and underscores: union_card"),
});
export type NewProofKind = z.infer<typeof newProofKind>;
