import type { AdditionalField } from "./additional-fields.ts";

/** A member type as registration offers it; operators edit types and restrict them by brand. */
export interface MemberTypeChoice {
  id: string;
  /** The value of `member_type` in the form. */
  slug: string;
  name: string;
  isOrganisation: boolean;
  /** The label of `member_id` for this type. */
  memberIdLabel: string;
  memberIdHelp: string;
  statuses: MemberStatusChoice[];
}

export interface MemberStatusChoice {
  id: string;
  /** The value of `member_status` in the form. */
  slug: string;
  name: string;
  /** Whether the status hides the block "Organisation details" (M1). */
  hidesOrganisationDetails: boolean;
}

/** A job category in the form of /api/job-categories; `id` is the value of `job_category` in the form. */
export interface JobCategory {
  id: number;
  name: string;
}

export interface JobCategoryWithRoles extends JobCategory {
  roles: JobRole[];
}

/** `id` is the value of `job_role` in the form. */
export interface JobRole {
  id: number;
  name: string;
}

/** The questions of step two for a member type. */
export interface TypeQuestions {
  fields: AdditionalField[];
  /** Empty for organisation types (M1). */
  categories: JobCategoryWithRoles[];
}
