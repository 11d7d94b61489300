import { z } from "zod";

/** Member types as packages/db/seeds/member-types.json writes them (seed sections 3, 5, 6, 7). Lists stand in the order that forms show. */

const slug = z.string().regex(/^[a-z][a-z0-9_]{1,59}$/);
const label = z.string().min(1).max(120);

export const memberTypeSeed = z.strictObject({
  slug,
  name: label,
  isOrganisation: z.boolean(),
  statuses: z.array(z.strictObject({ slug, name: label, hidesOrganisationDetails: z.boolean() })).min(1),
  additionalFields: z.array(
    z.strictObject({
      name: slug,
      label,
      help: z.string(),
      inputKind: z.enum(["text", "email", "select", "month", "checkbox"]),
      choices: z.array(label).default([]),
      isRequired: z.boolean(),
      isOrganisationDetail: z.boolean(),
    }),
  ),
  jobCategories: z.array(z.strictObject({ name: label, roles: z.array(label).min(1) })),
});
export type MemberTypeSeed = z.infer<typeof memberTypeSeed>;
