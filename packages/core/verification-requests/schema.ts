import { z } from "zod";

/** The format of packages/db/seeds/proofs.json. */
const slug = z.string().regex(/^[a-z][a-z0-9_]{1,59}$/);

/** What the page of proof can draw. */
export const drawings = ["payslip", "card", "letter", "certificate", "screen"] as const;
export type Drawing = (typeof drawings)[number];

const proofKindSeed = z.strictObject({
  slug,
  name: z.string().min(1).max(80),
  help: z.string().max(300),
  shows: z.array(z.string().min(1)).min(1),
  hides: z.string(),
  drawing: z.enum(drawings),
  isGeneral: z.boolean().default(false),
});

const memberTypeProofSeed = z.strictObject({
  memberType: slug,
  /** Statuses with their own list; others have that of the type. */
  statuses: z.array(slug).nullable(),
  kinds: z.array(slug).min(1),
});

const workDomainSeed = z.strictObject({ memberType: slug, domain: z.string(), withSubdomains: z.boolean() });

export const proofsSeed = z.strictObject({
  kinds: z.array(proofKindSeed),
  memberTypes: z.array(memberTypeProofSeed),
  workEmailDomains: z.array(workDomainSeed),
});

/** A work e-mail address as it is typed. */
export const workEmailSchema = z
  .string()
  .trim()
  .max(254)
  .transform((email) => email.normalize("NFC").toLowerCase())
  .pipe(z.email());
