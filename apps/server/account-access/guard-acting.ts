import { actedRequestText, actingRuleOf } from "@farthing/site/acting-pages.ts";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { WebParts } from "../app-parts.ts";
import { plainPage } from "../http/plain-page.ts";
import type { ActingSessions } from "./open-acting.ts";

/**
 * Lets an operator who acts as a member do what the table allows (apps/site/acting-pages.ts), writes each request into the
 * audit log first, and answers everything else with 403 in words.
 */
export function guardActing({ acting, pages }: Pick<WebParts, "acting" | "pages">): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const visit = context.get("visit");
    if (!visit.acting) return next();
    const { pathname, search } = new URL(context.req.url);
    const request = { method: context.req.method, pathname, search };
    const rule = actingRuleOf(request);
    if (rule === "apart") return next();
    const what = "allowed" in rule ? rule.allowed : "refuse";
    const noted = { what, request: actedRequestText(request), requestId: visit.requestId } as const;
    if (!(await acting.note(visit.acting, noted))) return accessIsOver(acting);
    if ("allowed" in rule) return next();
    const refusal = {
      status: 403,
      title: "Not while you act as a member",
      text: `This is never open to the club: ${rule.refused}`,
    };
    // /refused is no page: its "not found" page says why instead.
    return pages.answer(new Request(`${visit.origin}/refused`, { signal: context.req.raw.signal }), {
      ...visit,
      refusal,
    });
  };
}

/** Answers a request of a session that has ended, and takes the cookie back. */
export function accessIsOver(acting: Pick<ActingSessions, "clearCookie">): Response {
  return plainPage({
    status: 403,
    title: "Your access to this account has ended",
    text: "The time is over, or the member, you or the club ended it. Nothing was done. To look again, ask the member again from their page in the admin.",
    link: { href: "/admin/members", label: "Back to the admin" },
    headers: { "Set-Cookie": acting.clearCookie() },
  });
}
