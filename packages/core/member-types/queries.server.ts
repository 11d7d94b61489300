import type { Db } from "@farthing/db/client.ts";
import type { AdditionalField } from "./additional-fields.ts";
import type { JobCategory, JobRole, MemberTypeChoice, TypeQuestions } from "./rules.ts";

/** Returns the member types of a brand with their statuses, in the order that registration offers them. */
export async function findMemberTypes(db: Db, brandId: string): Promise<MemberTypeChoice[]> {
  const types = await db
    .selectFrom("brand_member_types as offered")
    .innerJoin("member_types as type", "type.id", "offered.member_type_id")
    .select([
      "type.id",
      "type.slug",
      "type.name",
      "type.is_organisation as isOrganisation",
      "type.member_id_label as memberIdLabel",
      "type.member_id_help as memberIdHelp",
    ])
    .where("offered.brand_id", "=", brandId)
    .orderBy("offered.position")
    .orderBy("type.position")
    .execute();
  if (types.length === 0) return [];
  const statuses = await db
    .selectFrom("member_statuses")
    .select([
      "id",
      "slug",
      "name",
      "hides_organisation_details as hidesOrganisationDetails",
      "member_type_id as typeId",
    ])
    .where(
      "member_type_id",
      "in",
      types.map(({ id }) => id),
    )
    .orderBy("position")
    .execute();
  return types.map((type) => ({
    ...type,
    statuses: statuses
      .filter(({ typeId }) => typeId === type.id)
      .map(({ id, slug, name, hidesOrganisationDetails }) => ({ id, slug, name, hidesOrganisationDetails })),
  }));
}

/** Returns what step two asks of a member type: additional fields, and job categories with their roles. */
export async function findTypeQuestions(db: Db, type: { id: string; isOrganisation: boolean }): Promise<TypeQuestions> {
  const fields = await findAdditionalFields(db, type.id);
  if (type.isOrganisation) return { fields, categories: [] };
  const rows = await db
    .selectFrom("job_categories as category")
    .innerJoin("job_roles as role", "role.job_category_id", "category.id")
    .select([
      "category.public_number as categoryId",
      "category.name as categoryName",
      "role.public_number as id",
      "role.name",
    ])
    .where("category.member_type_id", "=", type.id)
    .orderBy("category.position")
    .orderBy("role.position")
    .execute();
  const categories: TypeQuestions["categories"] = [];
  for (const { categoryId, categoryName, id, name } of rows) {
    const last = categories.at(-1);
    if (last?.id === categoryId) last.roles.push({ id, name });
    else categories.push({ id: categoryId, name: categoryName, roles: [{ id, name }] });
  }
  return { fields, categories };
}

export async function findAdditionalFields(db: Db, memberTypeId: string): Promise<AdditionalField[]> {
  const rows = await db
    .selectFrom("additional_fields")
    .select([
      "name",
      "label",
      "help",
      "input_kind as kind",
      "choices",
      "is_required as isRequired",
      "is_organisation_detail as isOrganisationDetail",
      "autocomplete",
    ])
    .where("member_type_id", "=", memberTypeId)
    .orderBy("position")
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as AdditionalField["kind"] }));
}

// Answers of the four /api addresses for registration (M1). Each looks only at the brand's own types and returns null
// for others.

/** Returns null if the brand has no such type; an organisation type has no job categories. */
export async function listJobCategories(
  db: Db,
  { brandId, memberType }: { brandId: string; memberType: string },
): Promise<JobCategory[] | null> {
  const type = await findBrandType(db, { brandId, memberType });
  if (!type) return null;
  if (type.is_organisation) return [];
  return db
    .selectFrom("job_categories")
    .select(["public_number as id", "name"])
    .where("member_type_id", "=", type.id)
    .orderBy("position")
    .execute();
}

export async function listJobRoles(
  db: Db,
  { brandId, categoryId }: { brandId: string; categoryId: number },
): Promise<JobRole[] | null> {
  const category = await db
    .selectFrom("job_categories as category")
    .innerJoin("brand_member_types as offered", "offered.member_type_id", "category.member_type_id")
    .select("category.id")
    .where("offered.brand_id", "=", brandId)
    .where("category.public_number", "=", categoryId)
    .executeTakeFirst();
  if (!category) return null;
  return db
    .selectFrom("job_roles")
    .select(["public_number as id", "name"])
    .where("job_category_id", "=", category.id)
    .orderBy("position")
    .execute();
}

export async function findJobRole(
  db: Db,
  { brandId, roleId }: { brandId: string; roleId: number },
): Promise<(JobRole & { jobCategoryId: number }) | null> {
  const row = await db
    .selectFrom("job_roles as role")
    .innerJoin("job_categories as category", "category.id", "role.job_category_id")
    .innerJoin("brand_member_types as offered", "offered.member_type_id", "category.member_type_id")
    .select(["role.public_number as id", "role.name", "category.public_number as jobCategoryId"])
    .where("offered.brand_id", "=", brandId)
    .where("role.public_number", "=", roleId)
    .executeTakeFirst();
  return row ?? null;
}

export async function listAdditionalFields(
  db: Db,
  query: { brandId: string; memberType: string },
): Promise<AdditionalField[] | null> {
  const type = await findBrandType(db, query);
  return type ? findAdditionalFields(db, type.id) : null;
}

async function findBrandType(db: Db, { brandId, memberType }: { brandId: string; memberType: string }) {
  return db
    .selectFrom("member_types as type")
    .innerJoin("brand_member_types as offered", "offered.member_type_id", "type.id")
    .select(["type.id", "type.is_organisation"])
    .where("offered.brand_id", "=", brandId)
    .where("type.slug", "=", memberType)
    .executeTakeFirst();
}
