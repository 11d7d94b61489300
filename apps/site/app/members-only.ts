import type { Route } from "./+types/members-only";
import { factsOf } from "../pages.ts";
import { loginRedirect } from "./login-redirect.ts";
import { matchedPage } from "./matched-page.server.ts";
import { memberContext, visitContext } from "./site-context.ts";

/**
 * The layout of all pages but those that pages.ts opens to visitors: sends visitors to the login, and from there back
 * to the page.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, pattern, request }) => {
    const { member } = context.get(visitContext);
    const path = matchedPage(pattern);
    if (!member) throw loginRedirect(request, factsOf(path).afterLogin ?? path);
    context.set(memberContext, member);
  },
];
