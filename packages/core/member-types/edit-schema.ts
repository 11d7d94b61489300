import { z } from "zod";
import { domainRefusal, isDomain } from "./work-domains.ts";

/** What operators type about member types: who can join, and what the registration asks them. */

const oneLine = (min: number, max: number) =>
  z
    .string()
    .trim()
    .refine(
      (text) => text.length >= min && text.length <= max && !/[\u0000-\u001f\u007f]/.test(text),
      min === 0 ? `Use at most ${max} characters on one line.` : `Use ${min} to ${max} characters on one line.`,
    );
const place = z.coerce
  .number("Give a whole number.")
  .int("Give a whole number.")
  .min(0, "Give 0 or more.")
  .max(9999, "Give at most 9999.");
/** A box to tick: absent where it is not. */
const tick = z
  .string()
  .optional()
  .transform((value) => value === "on");

export const memberTypeSchema = z.object({
  name: oneLine(1, 60),
  isOrganisation: tick,
  memberIdLabel: oneLine(1, 60),
  memberIdHelp: oneLine(0, 200),
  position: place,
});
export type MemberTypeEdit = z.infer<typeof memberTypeSchema>;

export const newMemberTypeSchema = memberTypeSchema.extend({
  slug: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9_]{1,39}$/, "Use 2 to 40 lower-case letters, digits and underscores: lifeboat_crew"),
  status: oneLine(1, 60),
});

export const statusSchema = z.object({ name: oneLine(1, 60), hides: tick, position: place });

/** HTML's autocomplete tokens that fit an answer. */
export const autocompletes = ["off", "organization", "work email", "organization-title", "address-level2"] as const;
export const fieldKinds = ["text", "email", "select", "month", "date", "checkbox"] as const;

export const fieldSchema = z
  .object({
    label: oneLine(1, 80),
    help: oneLine(0, 200),
    kind: z.enum(fieldKinds, "Choose a kind."),
    choices: z.string().transform((text) =>
      text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    ),
    isRequired: tick,
    isOrganisationDetail: tick,
    autocomplete: z.string().regex(/^[a-z0-9-]+( [a-z0-9-]+)*$/, "Choose what browsers fill in."),
    position: place,
  })
  .refine(({ kind, choices }) => kind !== "select" || choices.length >= 2, {
    path: ["choices"],
    message: "A list needs at least two choices, one a line.",
  })
  .refine(({ kind, choices }) => kind === "select" || choices.length === 0, {
    path: ["choices"],
    message: "Only a list has choices.",
  })
  .refine(({ choices }) => choices.every((choice) => choice.length <= 80) && new Set(choices).size === choices.length, {
    path: ["choices"],
    message: "Each choice differs from the others and has at most 80 characters.",
  });

export const jobSchema = z.object({ name: oneLine(1, 80), position: place });

/** The place of a proof kind in a list of a type or status; the lowest comes first. */
export const proofPlace = z.coerce
  .number("Give a whole number.")
  .int("Give a whole number.")
  .min(0, "Give 0 or more.")
  .max(999, "Give at most 999.");

/** A proof kind that a type asks for: of everyone, or of one status (null: everyone). */
export interface ProofRow {
  /** The kind's slug. */
  kind: string;
  /** The status's id. */
  status: string | null;
  place: number;
}

/** Returns the rows whose place in their list is that of an earlier row, each with that row. */
export function samePlaces(rows: readonly ProofRow[]): { row: ProofRow; earlier: ProofRow }[] {
  return rows.flatMap((row, at) => {
    const earlier = rows.slice(0, at).find(({ status, place: taken }) => status === row.status && taken === row.place);
    return earlier ? [{ row, earlier }] : [];
  });
}

/** A domain whose mailboxes prove that their owner is of the type. Anyone's mailboxes prove nothing. */
export const workDomainSchema = z.object({
  name: z
    .string()
    .trim()
    .toLowerCase()
    .refine(isDomain, "Give the domain alone, such as nhs.uk, without https:// or @.")
    .superRefine((domain, context) => {
      const message = domainRefusal(domain);
      if (message !== null) context.addIssue({ code: "custom", message });
    }),
  withSubdomains: tick,
});
export type DomainRow = z.infer<typeof workDomainSchema>;

/** A row of a form: `id` of what is stored, or null for a new one. */
export type Row<Value> = { id: string | null } & Value;
export type StatusRow = Row<z.infer<typeof statusSchema>>;
export type FieldRow = Row<z.infer<typeof fieldSchema>>;
export type RoleRow = Row<z.infer<typeof jobSchema>>;
export type CategoryRow = RoleRow & { roles: RoleRow[] };

/** Returns the short name of something that was typed: "Retired (NHS)" is retired_nhs. */
export function shortNameOf(text: string): string {
  const name = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "")
    .slice(0, 40);
  return name.length >= 2 ? name : `x_${name}`;
}
