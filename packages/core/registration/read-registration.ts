import { cleanName, hasLetter } from "../members/clean-name.ts";
import type { BrandRegistration } from "../brands/brand.ts";
import { dateText, readDateText, REQUIRED_MESSAGE, type FieldErrors } from "../forms/rules.ts";
import { confirmationFault } from "../sign-in/rules.ts";
import { emailSchema } from "../sign-in/schema.ts";
import { askedFields, readAdditionalFields, type AdditionalAnswers } from "../member-types/additional-fields.ts";
import type { MemberStatusChoice, MemberTypeChoice, TypeQuestions } from "../member-types/rules.ts";
import { ageOn, londonDate, MAX_AGE } from "./rules.ts";

/** Reads a field of a sent form: its text, trimmed and cut to `MAX_TEXT_LENGTH`; "" if it is missing. */
export type Typed = (name: string) => string;

/** Longer than any allowed answer: text is cut here before it is checked, and a rule still sees that it is too long. */
const MAX_TEXT_LENGTH = 300;

export function typedIn(form: FormData): Typed {
  return (name) => {
    const value = form.get(name);
    return typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH).trim() : "";
  };
}

const NOT_IN_LIST = "Choose one of the list.";

export interface StepOne {
  type: MemberTypeChoice;
  status: MemberStatusChoice;
  email: string;
}

type Read<Value> = { value: Value; errors: null } | { value: null; errors: FieldErrors };

/**
 * Reads step one. Passwords are read as they were typed, including spaces; `passwordFault` is the rule for new ones.
 */
export function readStepOne(
  form: FormData,
  types: readonly MemberTypeChoice[],
  passwordFault: (password: string, email: string) => string | null,
): Read<StepOne & { password: string }> {
  const typed = typedIn(form);
  const errors: FieldErrors = {};
  const { type, status } = readType(typed, types, errors);

  const email = emailSchema.safeParse(typed("email"));
  if (typed("email") === "") errors["email"] = REQUIRED_MESSAGE;
  else if (!email.success) errors["email"] = "Enter an e-mail address like name@example.org.";
  const again = emailSchema.safeParse(typed("email_confirmation"));
  if (typed("email_confirmation") === "") errors["email_confirmation"] = REQUIRED_MESSAGE;
  else if (email.success && again.data !== email.data) errors["email_confirmation"] = "This is not the same as Email.";

  const [password, confirmation] = [rawText(form, "password"), rawText(form, "password_confirmation")];
  const fault = password === "" ? REQUIRED_MESSAGE : passwordFault(password, email.data ?? "");
  if (fault !== null) errors["password"] = fault;
  const different = confirmation === "" ? REQUIRED_MESSAGE : confirmationFault(confirmation, password);
  if (different !== null) errors["password_confirmation"] = different;

  if (!type || !status || !email.success || Object.keys(errors).length > 0) return { value: null, errors };
  return { value: { type, status, email: email.data, password }, errors: null };
}

/** Reads member type and status, and checks that they belong to this brand and to each other. */
export function readType(
  typed: Typed,
  types: readonly MemberTypeChoice[],
  errors: FieldErrors,
): { type: MemberTypeChoice | undefined; status: MemberStatusChoice | undefined } {
  const type = types.find(({ slug }) => slug === typed("member_type"));
  if (!type) errors["member_type"] = typed("member_type") === "" ? REQUIRED_MESSAGE : NOT_IN_LIST;
  const status = type?.statuses.find(({ slug }) => slug === typed("member_status"));
  if (typed("member_status") === "") errors["member_status"] = REQUIRED_MESSAGE;
  else if (type && !status) errors["member_status"] = `Choose a status of ${type.name}.`;
  return { type, status };
}

export interface Details {
  name: string;
  dateOfBirth: string;
  jobRoleNumber: number | null;
  statedMemberId: string | null;
  residence: string;
  additionalAnswers: AdditionalAnswers;
  wantsOffers: boolean;
}

export interface DetailsRules {
  brand: { name: string; registration: BrandRegistration };
  status: MemberStatusChoice;
  questions: TypeQuestions;
  now: Date;
  /** For an existing member: they have agreed to the terms, and a known date of birth is not asked for again. */
  member?: { dateOfBirth: string | null };
}

/** Reads step two, for a type and status that belong to the brand. */
export function readDetails(form: FormData, { brand, status, questions, now, member }: DetailsRules): Read<Details> {
  const typed = typedIn(form);
  const errors: FieldErrors = {};
  const name = cleanName(typed("name"));
  if (!hasLetter(name)) errors["name"] = name === "" ? REQUIRED_MESSAGE : "Write your name in letters.";
  else if ([...name].length > 120 || /[\p{Cc}\p{Cs}]/u.test(name)) errors["name"] = "Use at most 120 letters.";

  const dateOfBirth = member?.dateOfBirth ?? readDateOfBirth(typed, brand, londonDate(now), errors);
  const jobRoleNumber = readJob(typed, questions, { isRequired: !status.hidesOrganisationDetails }, errors);

  const memberId = cleanName(typed("member_id"));
  if (memberId.length > 60 || /[\p{Cc}\p{Cs}]/u.test(memberId))
    errors["member_id"] = "Use at most 60 letters and digits.";
  const additional = readAdditionalFields(askedFields(questions.fields, status.hidesOrganisationDetails), typed, now);
  Object.assign(errors, additional.errors);

  const residence = typed("residence");
  if (residence === "") errors["residence"] = REQUIRED_MESSAGE;
  else if (!brand.registration.residence.includes(residence)) errors["residence"] = NOT_IN_LIST;
  if (!member && typed("terms") === "") errors["terms"] = REQUIRED_MESSAGE;

  if (dateOfBirth === null || Object.keys(errors).length > 0) return { value: null, errors };
  const value: Details = {
    name,
    dateOfBirth,
    jobRoleNumber,
    statedMemberId: memberId || null,
    residence,
    additionalAnswers: additional.answers,
    wantsOffers: typed("offers") !== "",
  };
  return { value, errors: null };
}

/**
 * Reads the date of birth from the three selects or, if they were not sent, from the text DD-MM-YYYY. General errors
 * appear at the first select.
 */
function readDateOfBirth(
  typed: Typed,
  { name, registration }: DetailsRules["brand"],
  today: string,
  errors: FieldErrors,
): string | null {
  const parts = { day: typed("dob_day"), month: typed("dob_month"), year: typed("dob_year") };
  const isMissing = Object.values(parts).every((part) => part === "");
  const date = readDateText((isMissing ? typed("date_of_birth") : dateText(parts)) ?? "");
  if (date === null) {
    const names = (["day", "month", "year"] as const).filter((part) => parts[part] === "");
    for (const part of names) errors[`dob_${part}`] = REQUIRED_MESSAGE;
    if (names.length === 0) errors["dob_day"] = "There is no such day. Check day and month.";
    return null;
  }
  const age = ageOn(date, today);
  if (date > today) errors["dob_year"] = "This day is still to come. Check the year.";
  else if (age > MAX_AGE) errors["dob_year"] = "Check the year.";
  else if (age < registration.minimumAge)
    errors["dob_year"] = `You have to be ${registration.minimumAge} or over to join ${name}.`;
  return date;
}

/** Reads the job role, which must belong to the category; without a category the role determines it. */
function readJob(
  typed: Typed,
  { categories }: TypeQuestions,
  { isRequired }: { isRequired: boolean },
  errors: FieldErrors,
): number | null {
  if (categories.length === 0) return null;
  const [categoryText, roleText] = [typed("job_category"), typed("job_role")];
  const category = categories.find(({ id }) => String(id) === categoryText);
  const home = categories.find(({ roles }) => roles.some(({ id }) => String(id) === roleText));
  if (categoryText !== "" && !category) errors["job_category"] = NOT_IN_LIST;
  else if (categoryText === "" && !home && isRequired) errors["job_category"] = REQUIRED_MESSAGE;
  if (roleText === "") {
    if (isRequired || category) errors["job_role"] = REQUIRED_MESSAGE;
    return null;
  }
  if (!home) errors["job_role"] = NOT_IN_LIST;
  else if (category && home !== category) errors["job_role"] = `Choose a role of ${category.name}.`;
  return Number(roleText);
}

function rawText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH) : "";
}
