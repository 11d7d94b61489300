import { isFreshSession } from "@farthing/core/sign-in/fresh-session.ts";
import { href, redirect, type RouterContextProvider } from "react-router";
import type { SignedInMember } from "../../../server/visit.ts";
import { memberContext, servicesContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";

/**
 * Requests whose action has found a fresh session: the loader that runs after it must not ask again, or the action's
 * answer would be lost.
 */
const provedInAction = new WeakSet<object>();

/**
 * Returns the member of a page that changes how the account is opened. Members whose session is not fresh
 * (fresh-session.ts) are sent to /login/again and back to `path`. Where they had sent a form (`change`), the page then says that nothing was
 * saved (ProfileShell's `isNotSaved`), unless `path` has a note of its own.
 */
export function provedMemberOf(
  context: Readonly<RouterContextProvider>,
  path: string,
  to: "open" | "change",
): SignedInMember {
  const member = context.get(memberContext);
  const isFresh = isFreshSession(member.authenticatedAt, { now: context.get(servicesContext).now(), to });
  if (isFresh && to === "change") provedInAction.add(context);
  if (isFresh || provedInAction.has(context)) return member;
  const next = to === "change" ? withNote(path) : path;
  throw redirect(pagePath(href("/login/again"), { next }), 303);
}

function withNote(path: string): string {
  const [pathname = path, query = ""] = path.split("?", 2);
  return pagePath(pathname, { note: "not-saved", ...Object.fromEntries(new URLSearchParams(query)) });
}
