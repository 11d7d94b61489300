import type { Route } from "./+types/members-only";
import { factsOf, pathOf } from "./facts-of.server.ts";
import { loginRedirect } from "./login-redirect.ts";
import { memberContext, visitContext } from "./site-context.ts";

/** The layout of all pages but those that pages.ts opens to visitors: sends visitors to the login, and from there back to the page. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, pattern, request }) => {
    const { member } = context.get(visitContext);
    if (!member) throw loginRedirect(request, factsOf(pattern).afterLogin ?? pathOf(pattern));
    context.set(memberContext, member);
  },
];
