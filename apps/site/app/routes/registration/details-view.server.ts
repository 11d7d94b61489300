import type { Brand } from "@farthing/core/brands/brand.ts";
import type { FieldErrors } from "@farthing/core/forms/rules.ts";
import { inputName } from "@farthing/core/member-types/additional-fields.ts";
import type { MemberStatusChoice, MemberTypeChoice, TypeQuestions } from "@farthing/core/member-types/rules.ts";
import type { Typed } from "@farthing/core/registration/read-registration.ts";
import { consentWording, londonDate, MAX_AGE, placeName } from "@farthing/core/registration/rules.ts";
import { additionalFieldsMarkup } from "../../ui/forms/additional-fields-markup.server.tsx";

const ownInputs = ["name", "dob_day", "dob_month", "dob_year", "job_category", "job_role", "member_id", "residence"];

/**
 * Returns what was typed in step two, for the draft and for the page that is shown again. Consents are asked each time
 * and never stored.
 */
export function typedAnswers(typed: Typed, { fields }: TypeQuestions): Record<string, string> {
  const names = [...ownInputs, ...fields.map(inputName)];
  return Object.fromEntries(names.map((name) => [name, typed(name)]).filter(([, text]) => text !== ""));
}

export interface DetailsState {
  types: MemberTypeChoice[];
  type: MemberTypeChoice;
  status: MemberStatusChoice | undefined;
  questions: TypeQuestions;
  values: Record<string, string>;
  errors: FieldErrors;
}

/** Returns what step two shows. Only what the form needs leaves the server; row ids do not. */
export function detailsView({ types, type, status, questions, values, errors }: DetailsState, brand: Brand, now: Date) {
  const hidesDetails = status?.hidesOrganisationDetails ?? false;
  const thisYear = Number(londonDate(now).slice(0, 4));
  const labels = questions.fields.map((field) => [inputName(field), field.label]);
  return {
    types: shownTypes(types),
    type: type.slug,
    status: status?.slug ?? "",
    values,
    errors,
    labels: Object.fromEntries(labels) as Record<string, string>,
    fieldsMarkup: additionalFieldsMarkup({
      fields: questions.fields,
      values,
      errors,
      hidesOrganisationDetails: hidesDetails,
    }),
    categories: questions.categories,
    places: brand.registration.residence.map((code) => ({ value: code, label: placeName(code) })),
    years: { first: thisYear - brand.registration.minimumAge, last: thisYear - MAX_AGE },
    minimumAge: brand.registration.minimumAge,
    terms: consentWording("terms", brand.name),
    offers: consentWording("offers-by-email", brand.name),
  };
}

export type DetailsView = ReturnType<typeof detailsView>;

export function shownTypes(types: MemberTypeChoice[]) {
  return types.map(({ slug, name, memberIdLabel, memberIdHelp, statuses }) => ({
    slug,
    name,
    memberIdLabel,
    memberIdHelp,
    statuses: statuses.map((status) => ({
      slug: status.slug,
      name: status.name,
      hidesDetails: status.hidesOrganisationDetails,
    })),
  }));
}

export type ShownType = ReturnType<typeof shownTypes>[number];
