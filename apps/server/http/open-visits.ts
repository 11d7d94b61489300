import { isFramePage } from "@farthing/site/server/framing.ts";
import type { WidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import type { WidgetVisit } from "@farthing/site/server/visit.ts";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { AppParts, WebParts } from "../app-parts.ts";
import { newNonce } from "../pages/site-pages.ts";
import { isForeignPost } from "./foreign-posts.ts";
import { isTakenByPages, isUpload } from "./posted-forms.ts";
import { problems } from "./problems.ts";
import { readBody } from "./read-input.ts";
import { refusePlainly, type Refuse } from "./refuse.ts";
import { hostnameOf, originOf } from "./request-origin.ts";

/**
 * Finds the brand by the host name and the member by the session, and sets `visit`. Refuses unknown hosts, posts from
 * other origins, bodies that no page takes, and pages made for frames outside one.
 */
export function openVisits(
  { brands, accounts, widgetSessions }: Pick<WebParts, "brands" | "accounts" | "widgetSessions">,
  config: AppParts["config"],
  refuse: Refuse,
): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const request = context.req;
    const origin = originOf(context, config);
    if (origin === null) return refuse(context, problems.noHost);
    const brand = await brands(hostnameOf(origin));
    if (!brand) return refuse(context, problems.unknownHost);
    const post = {
      method: request.method,
      origin: request.header("origin"),
      fetchSite: request.header("sec-fetch-site"),
      ownOrigin: origin,
    };
    if (isForeignPost(post)) return refuse(context, problems.foreignPost);
    if (request.method === "POST" && !isTakenByPages(request)) return refuse(context, problems.notAForm);
    if (!isUpload(request) && !(await readBody(context))) return refuse(context, problems.unreadableBody);
    const isInFrame = isFramePage(request.path);
    const framed = isInFrame ? await widgetSessions.of((name) => request.header(name)) : null;
    if (isInFrame && !framed) return refusePlainly(context, problems.outsideFrame);
    // A partner's frame has no member: its page could trick one into pressing something (clickjacking).
    const member = isInFrame ? null : await accounts.memberOf(brand, request.header("cookie"));
    context.set("visit", {
      requestId: context.get("requestId"),
      brand,
      member,
      nonce: newNonce(),
      origin,
      clientAddress: context.get("clientAddress"),
      widget: framed && widgetVisit(framed.session),
    });
    return next();
  };
}

/** The bearer is known only to the page that /redirect answered with. */
function widgetVisit({ id, partner: { name, publicId }, origin, mode, price }: WidgetSession): WidgetVisit {
  return { sessionId: id, partner: { name, publicId }, origin, bearer: null, mode, price };
}
