import type { DetailsView } from "./details-view.server.ts";

const detailLabels = {
  member_type: "Member type",
  member_status: "Member status",
  name: "Full name",
  dob_day: "Date of birth: day",
  dob_month: "Date of birth: month",
  dob_year: "Date of birth: year",
  job_category: "Job category",
  job_role: "Job role",
  member_id: "Member ID",
  residence: "Where you live",
  terms: "Terms",
};

/**
 * Returns the names of the fields for the error summary. They match the form, which names the member ID differently for
 * each type.
 */
export function labelsOf({ types, type: first, labels }: DetailsView, type: string): Record<string, string> {
  const chosen = types.find(({ slug }) => slug === type) ?? types.find(({ slug }) => slug === first);
  return { ...detailLabels, ...(chosen ? { member_id: chosen.memberIdLabel } : {}), ...labels };
}
