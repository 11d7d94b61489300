import { actingRuleOf } from "@farthing/site/acting-pages.ts";
import type { Acting } from "@farthing/core/account-access/acting.server.ts";
import { isFramePage, mayBeFramed } from "@farthing/site/server/framing.ts";
import type { WidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import type { ActingVisit, SignedInMember, WidgetVisit } from "@farthing/site/server/visit.ts";
import type { MiddlewareHandler } from "hono";
import { accessIsOver } from "../account-access/guard-acting.ts";
import type { AppEnv } from "../app-env.ts";
import type { AppParts, WebParts } from "../app-parts.ts";
import { newNonce } from "../pages/site-pages.ts";
import { isForeignPost } from "./foreign-posts.ts";
import { isTakenByPages, isUpload } from "./posted-forms.ts";
import { ANY_ORIGIN, plainPage } from "./plain-page.ts";
import { problems } from "./problems.ts";
import { readBody } from "./read-input.ts";
import { refusePlainly, type Refuse } from "./refuse.ts";
import { hostnameOf, originOf } from "./request-origin.ts";

/**
 * Finds the brand by the host name and the member by the session, and sets `visit`. Refuses unknown hosts, posts from
 * other origins, bodies that no page takes, and pages made for frames outside one.
 */
export function openVisits(
  { brands, accounts, acting, widgetSessions }: Pick<WebParts, "brands" | "accounts" | "acting" | "widgetSessions">,
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
    const isMadeForFrames = isFramePage(request.path);
    // A person walks on in the frame with its session (W9). Only browsers send this header, and no page can forge it.
    const isInFrame = isMadeForFrames || request.header("sec-fetch-dest") === "iframe";
    const proved = isInFrame ? await widgetSessions.of((name) => request.header(name)) : null;
    // A member is known at the brand they joined only (B4).
    const framed = proved && (proved.session.member?.brandId ?? brand.id) === brand.id ? proved : null;
    if (!framed && request.header("sec-fetch-dest") === "iframe" && mayBeFramed(request.path)) return sessionEnded();
    if (isMadeForFrames && !framed) return refusePlainly(context, problems.outsideFrame);
    if (framed && !mayBeFramed(request.path) && request.path !== "/redirect")
      return opensOutside(origin, request.url, framed.session);
    // A partner's frame has no member: its page could trick one into pressing something (clickjacking).
    const cookies = request.header("cookie");
    const actor = framed || isApartFromActing(request.path) ? null : await acting.of(brand, cookies);
    if (actor === "over" && !isOfActing(request.path)) return accessIsOver(acting);
    const isActing = actor !== null && actor !== "over";
    // The member whom an operator acts as has no session of theirs here, so nothing that asks for one works.
    const member = framed ? null : isActing ? actedMember(actor) : await accounts.memberOf(brand, cookies);
    context.set("visit", {
      requestId: context.get("requestId"),
      brand,
      member,
      acting: isActing ? actingVisit(actor) : null,
      nonce: newNonce(),
      origin,
      clientAddress: context.get("clientAddress"),
      widget: framed && widgetVisit(framed.session),
    });
    return next();
  };
}

const isOfActing = (pathname: string) => pathname === "/acting" || pathname === "/acting/stop";

/** The server's own files are the same whoever asks. */
function isApartFromActing(pathname: string): boolean {
  return !isOfActing(pathname) && actingRuleOf({ method: "GET", pathname, search: "" }) === "apart";
}

function actedMember({ publicId, member }: Acting): SignedInMember {
  return { ...member, sessionId: publicId };
}

function actingVisit({ publicId, operator, member, endsAt }: Acting): ActingVisit {
  return { publicId, operator, memberId: member.id, endsAt };
}

/**
 * Returns the page that stands in a frame for one that no frame shows, with a link to it: an error page of the browser's
 * would be a dead end. With script, a page in a frame opens such addresses outside by itself (frame-page.behaviour.ts).
 */
function opensOutside(origin: string, url: string, session: WidgetSession): Response {
  const { pathname, search } = new URL(url);
  return plainPage({
    status: 403,
    title: "This opens in a tab of its own",
    text: "People type what is theirs on this page, so it is never shown inside another site.",
    link: { href: origin + pathname + search, label: "Open it", isOutside: true },
    frame: { origin: session.origin, problem: "not-framed" },
  });
}

/**
 * Returns the page for a frame that has no session, or whose session is over: a browser that keeps no cookie can't be told from one whose cookie
 * has ended. Without it the browser shows an error page of its own, and the page around the frame hears nothing. Pages that no frame shows stay
 * blocked.
 */
function sessionEnded(): Response {
  return plainPage({
    status: 401,
    title: "Reload the page to go on",
    text: "This part of the page stays open for half an hour, and only where your browser keeps cookies for it. Reload the page around it, and it opens again. If it does not, allow cookies for this site in your browser’s settings. What you have paid stays paid.",
    frame: { origin: ANY_ORIGIN, problem: "session-ended" },
  });
}

/** The bearer is known only to the page that /redirect answered with. */
function widgetVisit(session: WidgetSession): WidgetVisit {
  const { id, partner, origin, mode, price } = session;
  const { name, publicId } = partner;
  return { sessionId: id, partner: { name, publicId }, origin, bearer: null, member: session.member, mode, price };
}
