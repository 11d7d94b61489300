import type { Db, Trx } from "@farthing/db/client.ts";
import memberTypesJson from "@farthing/db/seeds/member-types.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";
import { memberTypeSeed, type MemberTypeSeed } from "./schema.ts";

/** Slugs of the member types that every deployment begins with, in registration's order. */
export const firstMemberTypes: readonly string[] = memberTypesJson.map(({ slug }) => slug);

/**
 * Adds missing member types with their statuses, additional fields, job categories and roles. Existing types are left
 * as they are, so that operators' changes survive.
 * @returns slugs of the added types
 */
export async function seedMemberTypes(db: Db): Promise<string[]> {
  const types = z.array(memberTypeSeed).parse(memberTypesJson);
  return db.transaction().execute(async (trx) => {
    const known = new Set((await trx.selectFrom("member_types").select("slug").execute()).map((type) => type.slug));
    const added: string[] = [];
    for (const [position, type] of types.entries()) {
      if (!known.has(type.slug) && (await addType(trx, type, position))) added.push(type.slug);
    }
    return added;
  });
}

async function addType(trx: Trx, type: MemberTypeSeed, position: number): Promise<boolean> {
  const id = newId();
  const created = await trx
    .insertInto("member_types")
    .values({
      id,
      slug: type.slug,
      name: type.name,
      is_organisation: type.isOrganisation,
      member_id_label: type.memberIdLabel,
      member_id_help: type.memberIdHelp,
      position,
    })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .executeTakeFirst();
  if (created.numInsertedOrUpdatedRows === 0n) return false; // another process is seeding it
  await trx
    .insertInto("member_statuses")
    .values(
      type.statuses.map((status, index) => ({
        id: newId(),
        member_type_id: id,
        slug: status.slug,
        name: status.name,
        hides_organisation_details: status.hidesOrganisationDetails,
        position: index,
      })),
    )
    .execute();
  if (type.additionalFields.length > 0) {
    await trx
      .insertInto("additional_fields")
      .values(
        type.additionalFields.map((field, index) => ({
          id: newId(),
          member_type_id: id,
          name: field.name,
          label: field.label,
          help: field.help,
          input_kind: field.inputKind,
          autocomplete: field.autocomplete,
          choices: field.choices,
          is_required: field.isRequired,
          is_organisation_detail: field.isOrganisationDetail,
          position: index,
        })),
      )
      .execute();
  }
  await addJobs(trx, id, type.jobCategories);
  return true;
}

async function addJobs(trx: Trx, memberTypeId: string, categories: MemberTypeSeed["jobCategories"]): Promise<void> {
  for (const [position, category] of categories.entries()) {
    const id = newId();
    await trx
      .insertInto("job_categories")
      .values({ id, member_type_id: memberTypeId, name: category.name, position })
      .execute();
    await trx
      .insertInto("job_roles")
      .values(category.roles.map((name, index) => ({ id: newId(), job_category_id: id, name, position: index })))
      .execute();
  }
}
