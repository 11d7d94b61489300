import type { Brand } from "@farthing/core/brands/brand.ts";
import type { FieldErrors } from "@farthing/core/forms/rules.ts";
import { inputName } from "@farthing/core/member-types/additional-fields.ts";
import type { MemberStatusChoice, MemberTypeChoice, TypeQuestions } from "@farthing/core/member-types/rules.ts";
import type { Typed } from "@farthing/core/registration/read-registration.ts";
import { londonDate, MAX_AGE, placeName } from "@farthing/core/registration/rules.ts";
import type { AdditionalFieldsProps } from "../../ui/forms/additional-fields.tsx";
import { labelsOf } from "./detail-labels.ts";

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

/**
 * Returns what the questions of step two show, but for the additional fields. It is written into the page, so it has
 * only what the form needs; row ids stay here.
 */
export function detailsView({ types, type, status, questions, values, errors }: DetailsState, brand: Brand, now: Date) {
  const thisYear = Number(londonDate(now).slice(0, 4));
  const own = Object.entries(values).filter(([name]) => ownInputs.includes(name));
  return {
    types: shownTypes(types),
    type: type.slug,
    status: status?.slug ?? "",
    values: Object.fromEntries(own) as Record<string, string>,
    errors,
    labels: labelsOf(errors, { ...type, fields: questions.fields }),
    categories: questions.categories,
    places: brand.registration.residence.map((code) => ({ value: code, label: placeName(code) })),
    years: { first: thisYear - brand.registration.minimumAge, last: thisYear - MAX_AGE },
  };
}

export type DetailsView = ReturnType<typeof detailsView>;

/** Returns what the additional fields of the type show. */
export function additionalFieldsView({ status, questions, values, errors }: DetailsState): AdditionalFieldsProps {
  const hidesOrganisationDetails = status?.hidesOrganisationDetails ?? false;
  return { fields: questions.fields, values, errors, hidesOrganisationDetails };
}

function shownTypes(types: MemberTypeChoice[]) {
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

/** Returns what step one shows of the member types. */
export function typeChoices(types: MemberTypeChoice[]): TypeChoice[] {
  return types.map(({ slug, name, statuses }) => ({
    slug,
    name,
    statuses: statuses.map((status) => ({ slug: status.slug, name: status.name })),
  }));
}

/** A member type and its statuses, as somebody chooses them. */
export interface TypeChoice {
  slug: string;
  name: string;
  statuses: { slug: string; name: string }[];
}
