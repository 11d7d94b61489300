import { inputName, type AdditionalField } from "@farthing/core/member-types/additional-fields.ts";

const detailLabels: Readonly<Record<string, string>> = {
  member_type: "Member type",
  member_status: "Member status",
  name: "Full name",
  dob_day: "Date of birth, day",
  dob_month: "Date of birth, month",
  dob_year: "Date of birth, year",
  job_category: "Job category",
  job_role: "Job role",
  residence: "Where you live",
  terms: "Terms",
};

/**
 * Returns the names of the fields that have errors, for the error summary. They match the form, which names the member
 * ID differently for each type.
 */
export function labelsOf(
  errors: Readonly<Record<string, string>>,
  { memberIdLabel, fields }: { memberIdLabel: string; fields: readonly AdditionalField[] },
): Record<string, string> {
  const labels = new Map([
    ...Object.entries(detailLabels),
    ["member_id", memberIdLabel] as const,
    ...fields.map((field) => [inputName(field), field.label] as const),
  ]);
  const known = Object.keys(errors).flatMap((name) => {
    const label = labels.get(name);
    return label === undefined ? [] : [[name, label]];
  });
  return Object.fromEntries(known) as Record<string, string>;
}
