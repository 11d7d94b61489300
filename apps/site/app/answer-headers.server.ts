import type { MiddlewareFunction } from "react-router";
import { factsOf, type Privacy, privacyOf } from "../pages.ts";
import { matchedPage } from "./matched-page.server.ts";
import { answerHeadersContext, privacyContext, visitContext } from "./site-context.ts";

const PRIVATE = "private, no-store";

const HEADERS: Readonly<Record<Privacy, Readonly<Record<string, string>>>> = {
  shared: {},
  device: { "Cache-Control": "no-cache" },
  private: { "Cache-Control": PRIVATE },
  token: { "Cache-Control": PRIVATE, "Referrer-Policy": "same-origin" },
  secret: { "Cache-Control": PRIVATE, "Referrer-Policy": "no-referrer" },
};

/**
 * Sets the headers of every answer: those of its privacy (`privacyContext`), then those that a loader or an action
 * added (`answerHeadersContext`). An answer to a member or to a form is private on a shared page too, unless the page
 * has set Cache-Control itself (S1, B4).
 */
export const answerHeaders: MiddlewareFunction<Response> = async ({ context, pattern, request }, next) => {
  const added = new Headers();
  context.set(answerHeadersContext, added);
  context.set(privacyContext, privacyOf(factsOf(matchedPage(pattern))));
  const answer = await next();
  const privacy = context.get(privacyContext);
  for (const [name, value] of Object.entries(HEADERS[privacy])) answer.headers.set(name, value);
  for (const [name, value] of added) {
    if (name === "set-cookie") answer.headers.append(name, value);
    else answer.headers.set(name, value);
  }
  const isPersonal = context.get(visitContext).member !== null || !isRead(request);
  if (privacy === "shared" && isPersonal && !answer.headers.has("Cache-Control"))
    answer.headers.set("Cache-Control", PRIVATE);
  return answer;
};

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
