import { z } from "zod";

/** The format of packages/db/seeds/member-types.json (M1). Lists are in the order that forms show. */

const slug = z.string().regex(/^[a-z][a-z0-9_]{1,59}$/);
const label = z.string().min(1).max(120);

export const memberTypeSeed = z.strictObject({
  slug,
  name: label,
  isOrganisation: z.boolean(),
  /** The label of `member_id` for this type. */
  memberIdLabel: z.string().min(1).max(60),
  memberIdHelp: z.string().max(200),
  statuses: z.array(z.strictObject({ slug, name: label, hidesOrganisationDetails: z.boolean() })).min(1),
  additionalFields: z.array(
    z.strictObject({
      name: slug,
      label,
      help: z.string(),
      inputKind: z.enum(["text", "email", "select", "month", "date", "checkbox"]),
      /** The autocomplete token of the input; "off" if browsers can't know the answer. */
      autocomplete: z
        .string()
        .regex(/^[a-z]+( [a-z]+)*$/)
        .default("off"),
      choices: z.array(label).default([]),
      isRequired: z.boolean(),
      isOrganisationDetail: z.boolean(),
    }),
  ),
  jobCategories: z.array(z.strictObject({ name: label, roles: z.array(label).min(1) })),
});
export type MemberTypeSeed = z.infer<typeof memberTypeSeed>;
