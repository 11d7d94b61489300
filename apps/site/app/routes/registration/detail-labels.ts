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

/** What the list of errors calls the fields: as the form does, which asks for the member ID under another name per type. */
export function labelsOf({ types, type: first, labels }: DetailsView, type: string): Record<string, string> {
  const chosen = types.find(({ slug }) => slug === type) ?? types.find(({ slug }) => slug === first);
  return { ...detailLabels, ...(chosen ? { member_id: chosen.memberIdLabel } : {}), ...labels };
}
