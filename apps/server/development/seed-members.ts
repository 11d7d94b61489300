import { askedFields, type AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import { findAdditionalFields } from "@farthing/core/member-types/queries.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { PasswordHashing } from "../sign-in/password-hashing.ts";

/** Public: these accounts exist in development only (Z3). */
export const DEMO_PASSWORD = "Farthing-2026";

/**
 * Creates the demo accounts: in each brand `member@<brand>.example`, verified, with a type and status that the brand
 * accepts and all details of a registration, and `new@<brand>.example`, whose membership is unverified. Existing accounts are not changed. All share one
 * password hash, which saves a second at the start. Returns the number of accounts created.
 */
export async function seedMembers(db: Db): Promise<number> {
  const brands = await db.selectFrom("brands").select(["id", "slug"]).orderBy("slug").execute();
  const existing = await db
    .selectFrom("members")
    .select(["brand_id", "email"])
    .where("email", "like", "%@%.example")
    .execute();
  const known = new Set(existing.map(({ brand_id, email }) => `${brand_id} ${email}`));
  const wanted = brands.flatMap((brand) => [
    { brand, email: `member@${brand.slug}.example`, name: "Robin Marsh", isVerified: true },
    { brand, email: `new@${brand.slug}.example`, name: "Sam Field", isVerified: false },
  ]);
  const missing = wanted.filter(({ brand, email }) => !known.has(`${brand.id} ${email}`));
  if (missing.length === 0) return 0;

  const password = await new PasswordHashing().hash(DEMO_PASSWORD);
  const types = await firstTypes(db);
  const members = missing.map((account) => ({ ...account, id: newId(), type: types.get(account.brand.id) }));
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("members")
      .values(
        members.map(({ id, brand, email, name, isVerified, type }) => ({
          id,
          brand_id: brand.id,
          email,
          name,
          email_verified: true, // the second account is unverified in its membership, not its address
          verification: isVerified ? "verified" : "unverified",
          member_type_id: type?.typeId ?? null,
          member_status_id: type?.statusId ?? null,
        })),
      )
      .execute();
    await trx
      .insertInto("member_credentials")
      .values(
        members.map(({ id, brand }) => ({
          id: newId(),
          brand_id: brand.id,
          member_id: id,
          account_id: id,
          provider_id: "credential",
          password,
        })),
      )
      .execute();
  });
  for (const { id, isVerified, type } of members)
    if (isVerified && type) await giveDetails(db, { memberId: id, ...type });
  return members.length;
}

/** Fills in what a registration asks of the type, so that the member can save their details unchanged. */
export async function giveDetails(
  db: Db,
  { memberId, typeId, isOrganisation, hidesOrganisationDetails }: Omit<FirstType, "statusId"> & { memberId: string },
): Promise<void> {
  const fields = await findAdditionalFields(db, typeId);
  const answers = askedFields(fields, hidesOrganisationDetails)
    .filter(({ isRequired }) => isRequired)
    .map((field) => [field.name, demoAnswer(field)] as const);
  await db
    .updateTable("members")
    .set({
      date_of_birth: "1988-05-14",
      residence: "GB",
      additional_fields: JSON.stringify(Object.fromEntries(answers)),
      job_role_id: isOrganisation ? null : firstRole(db, typeId),
    })
    .where("id", "=", memberId)
    .execute();
}

function demoAnswer({ kind, choices, name }: AdditionalField): string | boolean {
  switch (kind) {
    case "checkbox":
      return true;
    case "select":
      return choices[0] ?? "";
    case "email":
      return "robin.marsh@work.example";
    case "month":
      return "2030-07";
    case "date":
      return "2020-09-01";
    case "text":
      return name.endsWith("number") ? "1234567" : "Marshfield";
  }
}

const firstRole = (db: Db, typeId: string) =>
  db
    .selectFrom("job_roles as role")
    .innerJoin("job_categories as category", "category.id", "role.job_category_id")
    .select("role.id")
    .where("category.member_type_id", "=", typeId)
    .orderBy("category.position")
    .orderBy("role.position")
    .limit(1);

interface FirstType {
  typeId: string;
  isOrganisation: boolean;
  statusId: string | null;
  hidesOrganisationDetails: boolean;
}

/** Returns the first member type of each brand, and its first status. */
async function firstTypes(db: Db): Promise<Map<string, FirstType>> {
  const rows = await db
    .selectFrom("brand_member_types as taken")
    .innerJoin("member_types as type", "type.id", "taken.member_type_id")
    .leftJoin("member_statuses as status", "status.member_type_id", "type.id")
    .distinctOn("taken.brand_id")
    .select(["taken.brand_id", "type.id as typeId", "type.is_organisation as isOrganisation", "status.id as statusId"])
    .select((one) =>
      one.fn.coalesce("status.hides_organisation_details", one.lit(false)).as("hidesOrganisationDetails"),
    )
    .orderBy("taken.brand_id")
    .orderBy("taken.position")
    .orderBy("type.position")
    .orderBy("status.position")
    .execute();
  return new Map(rows.map(({ brand_id, ...type }) => [brand_id, type]));
}
