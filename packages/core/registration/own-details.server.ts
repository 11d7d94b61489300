import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { askForRenewal } from "../verification-requests/ask-for-renewal.server.ts";
import { inputName, type AdditionalAnswers } from "../member-types/additional-fields.ts";
import { lockMember } from "../members/lock-member.server.ts";
import type { MemberStatusChoice, MemberTypeChoice } from "../member-types/rules.ts";
import type { Details } from "./read-registration.ts";
import { placeName } from "./rules.ts";

/** The details that a member has given about themselves. */
export interface OwnDetails {
  name: string;
  memberNumber: string;
  /** Such as 1990-07-31. */
  dateOfBirth: string | null;
  typeId: string | null;
  statusId: string | null;
  job: { categoryNumber: number; roleNumber: number; name: string } | null;
  statedMemberId: string | null;
  residence: string | null;
  additionalAnswers: AdditionalAnswers;
}

export async function findOwnDetails(
  db: Db | Trx,
  { brandId, memberId }: { brandId: string; memberId: string },
): Promise<OwnDetails | null> {
  const row = await db
    .selectFrom("members as member")
    .leftJoin("job_roles as role", "role.id", "member.job_role_id")
    .leftJoin("job_categories as category", "category.id", "role.job_category_id")
    .select([
      "member.name",
      "member.member_number",
      "member.date_of_birth",
      "member.member_type_id",
      "member.member_status_id",
      "member.stated_member_id",
      "member.residence",
      "member.additional_fields",
      "role.public_number as roleNumber",
      "role.name as roleName",
      "category.public_number as categoryNumber",
    ])
    .where("member.id", "=", memberId)
    .where("member.brand_id", "=", brandId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    name: row.name,
    memberNumber: row.member_number,
    dateOfBirth: row.date_of_birth,
    typeId: row.member_type_id,
    statusId: row.member_status_id,
    job:
      row.roleNumber === null || row.categoryNumber === null
        ? null
        : { roleNumber: row.roleNumber, categoryNumber: row.categoryNumber, name: row.roleName ?? "" },
    statedMemberId: row.stated_member_id,
    residence: row.residence,
    additionalAnswers: row.additional_fields as AdditionalAnswers,
  };
}

/** Returns a member's details as values of the form's fields. */
export function detailsAsTyped(own: OwnDetails): Record<string, string> {
  const [year = "", month = "", day = ""] = (own.dateOfBirth ?? "").split("-");
  const answers = Object.entries(own.additionalAnswers).map(([name, answer]) => [
    inputName({ name }),
    answer === true ? "yes" : typeof answer === "string" ? typedAgain(answer) : "",
  ]);
  return {
    name: own.name,
    ...(own.dateOfBirth ? { dob_day: String(Number(day)), dob_month: String(Number(month)), dob_year: year } : {}),
    ...(own.job ? { job_category: String(own.job.categoryNumber), job_role: String(own.job.roleNumber) } : {}),
    ...(own.statedMemberId ? { member_id: own.statedMemberId } : {}),
    ...(own.residence ? { residence: own.residence } : {}),
    ...(Object.fromEntries(answers) as Record<string, string>),
  };
}

/** Returns a stored date (2026-07-31) as it is typed (31-07-26); other answers as they are. */
function typedAgain(answer: string): string {
  const [, year, month, day] = /^\d{2}(\d{2})-(\d{2})-(\d{2})$/.exec(answer) ?? [];
  return year ? `${day}-${month}-${year}` : answer;
}

export interface DetailsChange {
  brandId: string;
  memberId: string;
  type: MemberTypeChoice;
  status: MemberStatusChoice;
  /** All types of the brand, to name the previous one. */
  types: readonly MemberTypeChoice[];
  details: Details;
  now: Date;
}

/** Details that a membership depends on: a member who changes one proves their membership again. */
const proved = new Set(["name", "member_type", "member_status"]);

export interface ChangedDetails {
  changed: string[];
  /** Until when the card stays valid without new proof; null if no proof is required. */
  renewalUntil: Date | null;
}

/**
 * Stores a member's details and records each change, with the old and the new value (M5). A date of birth can be set
 * once; after that only support changes it. Returns null for a member who is unknown or has left.
 */
export async function changeDetails(db: Db, change: DetailsChange): Promise<ChangedDetails | null> {
  const { brandId, memberId, type, status, details, now } = change;
  return db.transaction().execute(async (trx) => {
    const member = await lockMember(trx, { brandId, memberId });
    const before = member && !member.closed_at ? await findOwnDetails(trx, { brandId, memberId }) : null;
    if (!before) return null;
    const role =
      details.jobRoleNumber === null
        ? undefined
        : await trx
            .selectFrom("job_roles")
            .select(["id", "name"])
            .where("public_number", "=", details.jobRoleNumber)
            .executeTakeFirst();
    const dateOfBirth = before.dateOfBirth ?? details.dateOfBirth;
    const differences = differencesOf(before, change, { dateOfBirth, role: role?.name ?? "" });
    if (differences.length === 0) return { changed: [], renewalUntil: null };
    await trx
      .updateTable("members")
      .set({
        name: details.name,
        date_of_birth: dateOfBirth,
        member_type_id: type.id,
        member_status_id: status.id,
        job_role_id: role?.id ?? null,
        stated_member_id: details.statedMemberId,
        residence: details.residence,
        additional_fields: JSON.stringify(details.additionalAnswers),
        updated_at: now,
      })
      .where("id", "=", memberId)
      .execute();
    await trx
      .insertInto("detail_changes")
      .values(
        differences.map(({ field, from, to }) => ({
          id: newId(),
          brand_id: brandId,
          member_id: memberId,
          field,
          from_text: from.slice(0, 2000),
          to_text: to.slice(0, 2000),
          changed_at: now,
        })),
      )
      .execute();
    const isProofNeeded = differences.some(({ field }) => proved.has(field));
    return {
      changed: differences.map(({ field }) => field),
      renewalUntil: isProofNeeded ? await askForRenewal(trx, { memberId, now }) : null,
    };
  });
}

function differencesOf(
  before: OwnDetails,
  { types, type, status, details }: DetailsChange,
  now: { dateOfBirth: string; role: string },
): { field: string; from: string; to: string }[] {
  const typeBefore = types.find(({ id }) => id === before.typeId);
  const statusBefore = typeBefore?.statuses.find(({ id }) => id === before.statusId);
  const place = (code: string | null) => (code === null ? "" : placeName(code));
  const rows: [field: string, from: string, to: string][] = [
    ["name", before.name, details.name],
    ["date_of_birth", before.dateOfBirth ?? "", now.dateOfBirth],
    ["member_type", typeBefore?.name ?? "", type.name],
    ["member_status", statusBefore?.name ?? "", status.name],
    ["job_role", before.job?.name ?? "", now.role],
    ["member_id", before.statedMemberId ?? "", details.statedMemberId ?? ""],
    ["residence", place(before.residence), place(details.residence)],
    ["additional_fields", inOrder(before.additionalAnswers), inOrder(details.additionalAnswers)],
  ];
  return rows.filter(([, from, to]) => from !== to).map(([field, from, to]) => ({ field, from, to }));
}

function inOrder(answers: AdditionalAnswers): string {
  return JSON.stringify(Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1))));
}
