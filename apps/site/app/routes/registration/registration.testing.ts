import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { offerMemberTypes } from "@farthing/core/registration/registration.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { expect } from "vitest";
import { openClub, textOf, type TestClub } from "../../../testing/site.testing.ts";

let counter = 0;
export const newEmail = () => `newcomer-${(counter += 1)}@example.org`;

/** Returns the form of step one, filled in. */
export const stepOne = (email = newEmail()) => ({
  member_type: "education",
  member_status: "employed_permanent",
  email,
  email_confirmation: email,
  password: "Marigold-Kettle",
  password_confirmation: "Marigold-Kettle",
});

/** Seeds the member types, and returns how a test registers people and reads what was stored. */
export async function openRegistration(db: Db) {
  await seedMemberTypes(db);

  async function openSchools(options: Parameters<typeof openClub>[1] = {}): Promise<TestClub> {
    const club = await openClub(db, options);
    await offerMemberTypes(db, club.brand.id, ["education", "unpaid_carer", "organisation"]);
    return club;
  }

  const role = async (name: string) => {
    const row = await db
      .selectFrom("job_roles")
      .innerJoin("job_categories", "job_categories.id", "job_category_id")
      .select(["job_roles.public_number as role", "job_categories.public_number as category"])
      .where("job_roles.name", "=", name)
      .orderBy("job_roles.public_number")
      .executeTakeFirstOrThrow();
    return { job_category: String(row.category), job_role: String(row.role) };
  };

  /** Returns the form of step two, filled in. */
  const details = async () => ({
    member_type: "education",
    member_status: "employed_permanent",
    name: "Ada O’Neill-Łukasz",
    dob_day: "29",
    dob_month: "2",
    dob_year: "1988",
    residence: "GB",
    ...(await role("Head teacher")),
    member_id: "1234567",
    additional_school_or_trust: "St. Mary’s <b>",
    additional_phase: "Primary",
    terms: "yes",
  });

  /** Returns the cookie of a registration that is past step one. */
  async function pastStepOne(
    club: TestClub,
    form: Record<string, string> = stepOne(),
  ): Promise<Record<string, string>> {
    const response = await club.post("/register", form);
    expect(response.status, textOf(await response.clone().text()).slice(0, 400)).toBe(303);
    expect(response.headers.get("Location")).toBe("/register/details");
    return { Cookie: (response.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "" };
  }

  const membersOf = (club: TestClub) =>
    db.selectFrom("members").selectAll().where("brand_id", "=", club.brand.id).execute();
  const mailsOf = (club: TestClub) =>
    db.selectFrom("mails").selectAll().where("brand_id", "=", club.brand.id).orderBy("created_at").execute();

  return { openSchools, role, details, pastStepOne, membersOf, mailsOf };
}
