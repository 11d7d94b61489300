import { paths } from "@farthing/core/paths.ts";
import { withStackDatabase } from "./stack-database.ts";

/** Returns the address of a demo member's link for friends. */
export async function knownInvitation(brand = "chalkside"): Promise<string> {
  const { code } = await withStackDatabase((db) =>
    db
      .selectFrom("referral_codes as link")
      .innerJoin("members as member", "member.id", "link.member_id")
      .select("link.code")
      .where("member.email", "=", `member@${brand}.example`)
      .executeTakeFirstOrThrow(),
  );
  return paths.invitation(code);
}
