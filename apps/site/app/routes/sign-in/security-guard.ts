import { isFreshSession } from "@farthing/core/sign-in/fresh-session.ts";
import { redirect, type RouterContextProvider } from "react-router";
import type { SignedInMember } from "../../../server/site-handler.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { privatePage } from "../../site-headers.ts";

/** The member of a page; strangers are sent to log in first. */
export function memberOf(context: Readonly<RouterContextProvider>, path: string): SignedInMember {
  const { member } = context.get(visitContext);
  if (!member) throw redirect(`/login?next=${encodeURIComponent(path)}`, { status: 303, headers: privatePage });
  return member;
}

/** Requests whose action has found its member proved: the page that shows what came of it must not ask again and lose it. */
const provedInAction = new WeakSet<object>();

/** The same for pages that change how the account is opened: who logged in a while ago shows again who they are. */
export function provedMemberOf(
  context: Readonly<RouterContextProvider>,
  path: string,
  to: "open" | "change",
): SignedInMember {
  const member = memberOf(context, path);
  const isFresh = isFreshSession(member.authenticatedAt, { now: context.get(servicesContext).now(), to });
  if (isFresh && to === "change") provedInAction.add(context);
  if (isFresh || provedInAction.has(context)) return member;
  throw redirect(`/login/again?next=${encodeURIComponent(path)}`, { status: 303, headers: privatePage });
}
