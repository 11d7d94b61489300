import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { seedMemberTypes } from "./seed-member-types.server.ts";

const { db } = await testDatabase();
let added: string[];

beforeAll(async () => {
  added = await seedMemberTypes(db);
});

const typeId = async (slug: string) =>
  (await db.selectFrom("member_types").select("id").where("slug", "=", slug).executeTakeFirstOrThrow()).id;

test("M1 seeds the thirteen member types in order", async () => {
  expect(added).toEqual([
    "education",
    "nhs",
    "social_care",
    "unpaid_carer",
    "police",
    "fire",
    "ambulance_rescue",
    "armed_forces",
    "charity",
    "retail_hospitality",
    "student",
    "public_service",
    "organisation",
  ]);
});

test("M1 hides organisation details for the statuses of the specification", async () => {
  const hiding = await db
    .selectFrom("member_statuses")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .select(["member_types.slug as type", "member_statuses.name as status"])
    .where("hides_organisation_details", "=", true)
    .orderBy("member_types.position")
    .orderBy("member_statuses.position")
    .execute();
  expect(hiding.map(({ type, status }) => `${type}: ${status}`)).toEqual([
    "education: Retired",
    "nhs: Retired (NHS pension)",
    "social_care: Retired",
    "unpaid_carer: Adult carer",
    "unpaid_carer: Young adult carer 16-24",
    "unpaid_carer: Parent carer",
    "unpaid_carer: Former carer (under 12 months)",
    "police: Retired",
    "fire: Retired",
    "ambulance_rescue: Retired ambulance",
    "armed_forces: Veteran",
    "armed_forces: Spouse or partner",
    "armed_forces: Bereaved family",
    "charity: Retired",
    "retail_hospitality: Between jobs (90 days)",
    "student: Graduate (under 12 months)",
    "public_service: Retired",
  ]);
});

test("M1 four types have job categories with roles, and organisations have none", async () => {
  const counts = await db
    .selectFrom("job_categories")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .innerJoin("job_roles", "job_roles.job_category_id", "job_categories.id")
    .select(({ fn }) => [
      "member_types.slug",
      fn.count<number>("job_categories.id").distinct().as("categories"),
      fn.count<number>("job_roles.id").as("roles"),
    ])
    .groupBy("member_types.slug")
    .orderBy("member_types.slug")
    .execute();
  expect(counts).toEqual([
    { slug: "charity", categories: 5, roles: 23 },
    { slug: "education", categories: 5, roles: 26 },
    { slug: "nhs", categories: 6, roles: 33 },
    { slug: "social_care", categories: 5, roles: 22 },
  ]);
});

test("M1 job categories and roles are numbered in order", async () => {
  const roles = await db
    .selectFrom("job_roles")
    .innerJoin("job_categories", "job_categories.id", "job_category_id")
    .select("job_roles.name")
    .where("member_type_id", "=", await typeId("education"))
    .orderBy("job_roles.public_number")
    .limit(3)
    .execute();
  expect(roles.map((role) => role.name)).toEqual(["Early years teacher", "Primary teacher", "Secondary teacher"]);
});

test("M1 select fields have choices, and every type has its fields", async () => {
  const fields = await db
    .selectFrom("additional_fields")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .select(["slug", "label", "input_kind", "choices"])
    .execute();
  for (const field of fields)
    expect(field.choices.length > 0, `${field.slug} ${field.label}`).toBe(field.input_kind === "select");
  expect(new Set(fields.map((field) => field.slug)).size).toBe(13);
});

test("A2 seeding again keeps what an operator renamed or removed", async () => {
  await db.updateTable("member_types").set({ name: "Teaching" }).where("slug", "=", "education").execute();
  await db.deleteFrom("member_statuses").where("slug", "=", "governor_or_volunteer").execute();
  expect(await seedMemberTypes(db)).toEqual([]);
  expect(
    (await db.selectFrom("member_types").select("name").where("slug", "=", "education").executeTakeFirstOrThrow()).name,
  ).toBe("Teaching");
  expect(
    await db.selectFrom("member_statuses").select("id").where("slug", "=", "governor_or_volunteer").execute(),
  ).toEqual([]);
});
