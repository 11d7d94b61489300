import { commandLine } from "../command-line.ts";
import { restoreMember, suspendMember } from "@farthing/core/members/suspension.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

export const MEMBER_USAGE = `${commandLine("members <action>")}

  suspend <brand> <e-mail>    suspends a member at once: sessions and links end, and nothing opens the account
  restore <brand> <e-mail>    restores the account with its password, passkeys and two-step sign-in

<brand> is its slug, <e-mail> any address of the member's. Your system account is recorded.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class MemberActionError extends Error {}

export interface MemberActionParts {
  db: Db;
  by: string;
  now(): Date;
}

/**
 * Runs one action of `npm run members` from its typed words. Returns the lines to print. @throws MemberActionError that
 * says what to do.
 */
export async function runMemberAction(parts: MemberActionParts, words: readonly string[]): Promise<string[]> {
  const [action, brand, typed, ...more] = words;
  const email = typed?.trim().normalize("NFC").toLowerCase();
  if ((action !== "suspend" && action !== "restore") || brand === undefined || email === undefined || more.length > 0)
    throw new MemberActionError(MEMBER_USAGE);
  const found = await parts.db
    .selectFrom("member_emails")
    .innerJoin("brands", "brands.id", "member_emails.brand_id")
    .select(["member_emails.member_id as memberId", "brands.id as brandId"])
    .where("brands.slug", "=", brand)
    .where("member_emails.email", "=", email)
    .executeTakeFirst();
  if (!found) throw new MemberActionError(`No member of ${brand} has the address ${email}.`);
  const what = {
    permission: "members.change",
    action: `member.${action}`,
    subject: { type: "member", id: found.memberId },
  } as const;
  const change = action === "suspend" ? suspendMember : restoreMember;
  const isDone = await recorded(parts, what, (joined, now) => change(joined, { ...found, now }));
  if (action === "suspend") {
    if (!isDone) throw new MemberActionError(`Nothing was done: ${email} is already suspended.`);
    return [`${email} is suspended and signed out everywhere.`];
  }
  if (!isDone) throw new MemberActionError(`Nothing was done: ${email} is not suspended.`);
  return [`${email} can log in again.`];
}
