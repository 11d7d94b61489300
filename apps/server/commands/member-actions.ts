import { restoreMember, suspendMember } from "@farthing/core/members/suspension.server.ts";
import type { Db } from "@farthing/db/client.ts";

export const memberUsage = `npm run members -- <action>

  suspend <brand> <e-mail>    shuts a member out at once: sessions and links end, nothing opens the account
  restore <brand> <e-mail>    lets them in again, with the password, passkeys and two-step sign-in they had

<brand> is its slug, <e-mail> any address of the member's.`;

/** What a person can put right. */
export class MemberActionError extends Error {}

export interface MemberActionParts {
  db: Db;
  now(): Date;
}

/** One action of "npm run members", as it was typed. Returns the lines to show. @throws MemberActionError with what to do instead. */
export async function runMemberAction({ db, now }: MemberActionParts, words: readonly string[]): Promise<string[]> {
  const [action, brand, typed, ...more] = words;
  const email = typed?.trim().normalize("NFC").toLowerCase();
  if ((action !== "suspend" && action !== "restore") || brand === undefined || email === undefined || more.length > 0)
    throw new MemberActionError(memberUsage);
  const found = await db
    .selectFrom("member_emails")
    .innerJoin("brands", "brands.id", "member_emails.brand_id")
    .select(["member_emails.member_id as memberId", "brands.id as brandId"])
    .where("brands.slug", "=", brand)
    .where("member_emails.email", "=", email)
    .executeTakeFirst();
  if (!found) throw new MemberActionError(`Nobody at ${brand} has the address ${email}.`);
  if (action === "suspend") {
    if (!(await suspendMember(db, { ...found, now: now() })))
      throw new MemberActionError(`Nothing was done: ${email} is suspended already.`);
    return [`${email} is suspended and signed out everywhere.`];
  }
  if (!(await restoreMember(db, { ...found, now: now() })))
    throw new MemberActionError(`Nothing was done: ${email} is not suspended.`);
  return [`${email} can log in again.`];
}
