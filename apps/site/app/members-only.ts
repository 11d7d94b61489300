import type { Route } from "./+types/members-only";
import { factsOf } from "../pages.ts";
import { canonicalAddress } from "../server/page-parameters.ts";
import { loginRedirect } from "./login-redirect.ts";
import { matchedPage } from "./matched-page.server.ts";
import { memberContext, visitContext } from "./site-context.ts";

/**
 * The layout of all pages but those that pages.ts opens to visitors: sends visitors to the login, and from there back
 * to the address that they asked for, with what the page reads of its query.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, pattern, request }) => {
    const { member } = context.get(visitContext);
    if (!member) {
      // Visitors are offered no form of these pages: a post comes from a page whose session has ended since.
      const note = request.method === "POST" ? "not-sent" : undefined;
      throw loginRedirect(request, factsOf(matchedPage(pattern)).afterLogin ?? addressOf(request), note);
    }
    context.set(memberContext, member);
  },
];

function addressOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return canonicalAddress(pathname + search);
}
