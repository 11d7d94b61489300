import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { PasswordHashing } from "../sign-in/password-hashing.ts";

/** Public: these accounts exist in development only (Z3). */
export const DEMO_PASSWORD = "Farthing-2026";

/**
 * Creates the demo accounts: in each brand `member@<brand>.example`, verified, with a type and status that the brand
 * accepts, and `new@<brand>.example`, whose membership is unverified. Existing accounts are not changed. All share one
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
  return members.length;
}

/** Returns the first member type of each brand, and its first status. */
async function firstTypes(db: Db): Promise<Map<string, { typeId: string; statusId: string | null }>> {
  const rows = await db
    .selectFrom("brand_member_types as taken")
    .innerJoin("member_types as type", "type.id", "taken.member_type_id")
    .leftJoin("member_statuses as status", "status.member_type_id", "type.id")
    .distinctOn("taken.brand_id")
    .select(["taken.brand_id", "type.id as typeId", "status.id as statusId"])
    .orderBy("taken.brand_id")
    .orderBy("taken.position")
    .orderBy("type.position")
    .orderBy("status.position")
    .execute();
  return new Map(rows.map(({ brand_id, typeId, statusId }) => [brand_id, { typeId, statusId }]));
}
