import { z } from "zod";
import { readTypedDate, REQUIRED_MESSAGE, type FieldErrors } from "../forms/rules.ts";

/**
 * A question that a member type adds to registration (M1). Operators edit these rows; each one defines the form's
 * field, the server's schema (below) and the markup of /api/additional-fields (apps/site/app/ui/forms/additional-fields-markup.server.tsx).
 */
export interface AdditionalField {
  name: string;
  label: string;
  help: string;
  kind: "text" | "email" | "select" | "month" | "date" | "checkbox";
  choices: string[];
  isRequired: boolean;
  /** Asked in the block "Organisation details", which some statuses hide (M1). */
  isOrganisationDetail: boolean;
  autocomplete: string;
}

/** Maximum length of a one-line answer. */
export const MAX_ANSWER_LENGTH = 120;

/** Returns the name of the field's input, with a prefix that keeps it apart from the form's own fields. */
export function inputName(field: Pick<AdditionalField, "name">): string {
  return `additional_${field.name}`;
}

/** A member's answers by the fields' names: a month as 2026-07, a date as 2026-07-31, a tick as true. */
export type AdditionalAnswers = Record<string, string | boolean>;

/** Returns the fields that a member of this status is asked for. */
export function askedFields(fields: readonly AdditionalField[], hidesOrganisationDetails: boolean): AdditionalField[] {
  return fields.filter((field) => !(field.isOrganisationDetail && hidesOrganisationDetails));
}

/** Returns the schema of a field's answer; the text is trimmed, and "" if there is none. */
export function answerSchema(field: AdditionalField, today: Date): z.ZodType<string | boolean> {
  const text = z.string().max(MAX_ANSWER_LENGTH, `Use at most ${MAX_ANSWER_LENGTH} characters.`);
  const given = field.isRequired ? text.min(1, REQUIRED_MESSAGE) : text;
  const unlessEmpty = (check: (value: string) => boolean, message: string) =>
    given.refine((value) => value === "" || check(value), message);
  switch (field.kind) {
    case "checkbox":
      return given.transform((value) => value !== "");
    case "select":
      return unlessEmpty((value) => field.choices.includes(value), "Choose one of the list.");
    case "email":
      return unlessEmpty(
        (value) => z.email().safeParse(value).success,
        "Enter an e-mail address like name@example.org.",
      );
    case "month":
      return unlessEmpty((value) => readMonth(value) !== null, "Enter a month like 2027-07.").transform(
        (value) => readMonth(value) ?? "",
      );
    case "date":
      return unlessEmpty((value) => readTypedDate(value, today) !== null, "Enter a date like 05-11-26.").transform(
        (value) => readTypedDate(value, today) ?? "",
      );
    case "text":
      return unlessEmpty((value) => !/[\p{Cc}\p{Cs}]/u.test(value), "Use letters, digits and signs only.");
  }
}

/** Reads the answers from a form. Fields that were not asked for are ignored, and unanswered ones left out. */
export function readAdditionalFields(
  fields: readonly AdditionalField[],
  typed: (name: string) => string,
  today: Date,
): { answers: AdditionalAnswers; errors: FieldErrors } {
  const answers: AdditionalAnswers = {};
  const errors: FieldErrors = {};
  for (const field of fields) {
    const name = inputName(field);
    const result = answerSchema(field, today).safeParse(typed(name));
    if (!result.success) errors[name] = result.error.issues[0]?.message ?? REQUIRED_MESSAGE;
    else if (result.data !== "" && result.data !== false) answers[field.name] = result.data;
  }
  return { answers, errors };
}

/** Reads a month: browsers without a month input let people type 2027-07 or 07/2027. */
function readMonth(text: string): string | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year && month) return `${year}-${month}`;
  const [, first, second] = /^(0?[1-9]|1[0-2])[/. -](\d{4})$/.exec(text) ?? [];
  return first && second ? `${second}-${first.padStart(2, "0")}` : null;
}
