import { act, type Actor } from "@farthing/core/audit/act.server.ts";
import { requestClosure } from "@farthing/core/closures/operations.server.ts";
import type { MemberRecord } from "@farthing/core/members/member-record.server.ts";
import { restoreMember, suspendMember } from "@farthing/core/members/suspension.server.ts";
import type { Permission } from "@farthing/core/operators/permissions.ts";
import { revokeMembership } from "@farthing/core/verification-requests/memberships-ending.server.ts";
import { signOut } from "@farthing/core/sign-in/session-list.server.ts";
import type { AdminServices } from "../../../server/admin-handler.ts";

interface MemberAct {
  name: "suspend" | "restore" | "end-sessions" | "end-membership" | "close";
  permission: Permission;
  label: string;
  title: string;
  /** What it does, and what can't be undone. */
  what: string;
  done: string;
  isFor(member: MemberRecord): boolean;
}
export type MemberActName = MemberAct["name"];

/** What can be done to a member's account after a question. */
export const memberActs: readonly MemberAct[] = [
  {
    name: "suspend",
    permission: "members.change",
    label: "Suspend",
    title: "Suspend this member?",
    what: "Sessions and links end at once, and nothing opens the account until somebody restores it. Money that is the member's stays theirs.",
    done: "The member is suspended and signed out everywhere.",
    isFor: ({ suspendedAt, closedAt }) => suspendedAt === null && closedAt === null,
  },
  {
    name: "restore",
    permission: "members.change",
    label: "Restore",
    title: "Restore this member?",
    what: "The account opens again with its password, passkeys and two-step sign-in.",
    done: "The member can log in again.",
    isFor: ({ suspendedAt, closedAt }) => suspendedAt !== null && closedAt === null,
  },
  {
    name: "end-sessions",
    permission: "members.change",
    label: "End all sessions",
    title: "End all sessions of this member?",
    what: "The member is signed out on every device, and links in e-mails that open the account end. They can log in again.",
    done: "The member is signed out everywhere.",
    isFor: ({ sessions, closedAt }) => sessions > 0 && closedAt === null,
  },
  {
    name: "end-membership",
    permission: "verifications.decide",
    label: "End membership",
    title: "End this membership?",
    what: "For a proof that was accepted by mistake. The digital ID stops working at once. The member gets a mail unless they are suspended, can send new proof, and keeps the money that is theirs.",
    done: "The membership has ended.",
    isFor: ({ verification, closedAt }) => verification === "verified" && closedAt === null,
  },
  {
    name: "close",
    permission: "members.close",
    label: "Start closing",
    title: "Start closing this account?",
    what: "For a member who asks us to. They get an e-mail with what happens and have seven days to change their mind; money that is or becomes theirs is paid first, and we ask them for an account. A suspended member can’t answer: restore them first if there is money. Then their data is erased, which can't be undone.",
    done: "The closing is under way, and the member was told.",
    isFor: ({ closure, closedAt }) => closure === null && closedAt === null,
  },
];

/** Does one of them, with its entry in the log. Returns false if nothing was changed. */
export async function doMemberAct(
  { db, payeeKeys: keys }: Pick<AdminServices, "db" | "payeeKeys">,
  actor: Actor,
  { member: { id, brandId }, name, why }: { member: MemberRecord; name: MemberActName; why: string },
): Promise<boolean> {
  const { permission } = memberActs.find((each) => each.name === name) ?? { permission: "members.change" };
  const { now } = actor;
  const who = { brandId, memberId: id, now };
  const what = { permission, action: `member.${name}`, subject: { type: "member", id }, why } as const;
  return await act(db, actor, what, async (joined): Promise<boolean> => {
    switch (name) {
      case "suspend":
        return await suspendMember(joined, who);
      case "restore":
        return await restoreMember(joined, who);
      case "end-sessions":
        return (await signOut(joined, who)) > 0;
      case "end-membership":
        return await revokeMembership(joined, who);
      case "close": {
        const closure = { ...who, pendingChoice: "wait", payableChoice: "pay-out", payee: null, keys } as const;
        return (await requestClosure(joined, { ...closure, asksForPayeeLater: true })).outcome === "requested";
      }
    }
  });
}
