import { withStackDatabase } from "./stack-database.ts";

/** Returns the address of a demo member's claim. @throws Error if the member has none */
export async function knownClaim(brand = "chalkside"): Promise<string> {
  const { public_id: id } = await withStackDatabase((db) =>
    db
      .selectFrom("claims as claim")
      .innerJoin("members as member", "member.id", "claim.member_id")
      .select("claim.public_id")
      .where("member.email", "=", `member@${brand}.example`)
      .orderBy("claim.made_at")
      .executeTakeFirstOrThrow(),
  );
  return `/money/claims/${id}`;
}
