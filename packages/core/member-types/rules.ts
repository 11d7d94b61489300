import type { AdditionalField } from "./additional-fields.ts";

/** What registration offers: data that an operator can edit, restricted by brand. */
export interface MemberTypeChoice {
  id: string;
  /** What the form sends as member_type. */
  slug: string;
  name: string;
  isOrganisation: boolean;
  /** What member_id is called for this type. */
  memberIdLabel: string;
  memberIdHelp: string;
  statuses: MemberStatusChoice[];
}

export interface MemberStatusChoice {
  id: string;
  /** What the form sends as member_status. */
  slug: string;
  name: string;
  /** One of the exceptions of seed section 4: no organisation details are asked. */
  hidesOrganisationDetails: boolean;
}

/** As /api/job-categories answers them; `id` is what the form sends as job_category. */
export interface JobCategory {
  id: number;
  name: string;
}

export interface JobCategoryWithRoles extends JobCategory {
  roles: JobRole[];
}

/** `id` is what the form sends as job_role. */
export interface JobRole {
  id: number;
  name: string;
}

/** What step two asks of a member type. */
export interface TypeQuestions {
  fields: AdditionalField[];
  /** None for organisation types (seed section 6). */
  categories: JobCategoryWithRoles[];
}
