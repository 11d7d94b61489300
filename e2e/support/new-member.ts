import { newId } from "@farthing/db/uuid.ts";
import { withStackDatabase } from "./stack-database.ts";

/**
 * Creates an account for one test, a copy of the brand's newcomer with the same password, and returns its e-mail. A test that changes how an account
 * signs in must not use a demo account that other tests use.
 */
export function newMember(brand: string): Promise<string> {
  return withStackDatabase(async (db) => {
    const id = newId();
    const email = `${id}@${brand}.example`;
    const like = await db
      .selectFrom("members")
      .innerJoin("member_credentials", "member_credentials.member_id", "members.id")
      .select(["members.brand_id", "name", "email_verified", "member_type_id", "member_status_id", "password"])
      .where("email", "=", `new@${brand}.example`)
      .executeTakeFirstOrThrow();
    const { password, ...member } = like;
    await db
      .insertInto("members")
      .values({ ...member, id, email })
      .execute();
    await db
      .insertInto("member_credentials")
      .values({
        id: newId(),
        brand_id: like.brand_id,
        member_id: id,
        account_id: id,
        provider_id: "credential",
        password,
      })
      .execute();
    return email;
  });
}
