import { z } from "zod";

/** What counts as proof, as packages/db/seeds/proofs.json writes it. */
const slug = z.string().regex(/^[a-z][a-z0-9_]{1,59}$/);

const proofKindSeed = z.strictObject({
  slug,
  name: z.string().min(1).max(80),
  help: z.string().max(300),
  shows: z.array(z.string().min(1)).min(1),
  hides: z.string(),
  drawing: z.enum(["payslip", "card", "letter", "certificate", "screen"]),
  isGeneral: z.boolean().default(false),
});

const memberTypeProofSeed = z.strictObject({
  memberType: slug,
  /** Statuses with a list of their own; without it the list is the type's. */
  statuses: z.array(slug).nullable(),
  kinds: z.array(slug).min(1),
});

const workDomainSeed = z.strictObject({ memberType: slug, domain: z.string(), withSubdomains: z.boolean() });

export const proofsSeed = z.strictObject({
  kinds: z.array(proofKindSeed),
  memberTypes: z.array(memberTypeProofSeed),
  workEmailDomains: z.array(workDomainSeed),
});

export type Drawing = z.infer<typeof proofKindSeed>["drawing"];

/** What a person types as their address at work. */
export const workEmailSchema = z
  .string()
  .trim()
  .max(254)
  .transform((email) => email.normalize("NFC").toLowerCase())
  .pipe(z.email());
