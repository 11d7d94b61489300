import type { WidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import { isForeignPost } from "../http/foreign-posts.ts";
import type { Problem } from "../http/problem.ts";
import type { WidgetSessions } from "../partners/widget-sessions.ts";
import { requestOrigin, type Incoming, type OriginOptions } from "../http/request-origin.ts";

export type FrameCaller = { ok: true; session: WidgetSession } | { ok: false; problem: Problem };

/**
 * Returns the session of the frame that calls an API, or the problem to answer with. A bearer token is sufficient,
 * because only our page has it. Browsers attach a cookie to every page's requests, so with a cookie, requests that
 * change something must come from a page of ours (S1, CSRF).
 */
export async function frameCaller(
  { method, ...incoming }: { method: string } & Incoming,
  { sessions, config }: { sessions: Pick<WidgetSessions, "of">; config: OriginOptions },
): Promise<FrameCaller> {
  const { header } = incoming;
  const proved = await sessions.of(header);
  if (!proved) return { ok: false, problem: noSession };
  if (proved.by === "bearer") return { ok: true, session: proved.session };
  const ownOrigin = requestOrigin(incoming, config);
  const fetchSite = header("sec-fetch-site");
  const origin = header("origin");
  // Every current browser sends one of the two headers. Without both, a cookie is no proof.
  const isUnwitnessed = method !== "GET" && method !== "HEAD" && fetchSite === undefined && origin === undefined;
  if (ownOrigin === null || isUnwitnessed || isForeignPost({ method, origin, fetchSite, ownOrigin }))
    return { ok: false, problem: foreign };
  return { ok: true, session: proved.session };
}

export const noSession: Problem = {
  status: 401,
  title: "No session",
  detail: "The session in this frame has ended or never existed. Reload the page around it and start again.",
  headers: { "WWW-Authenticate": 'Bearer realm="frame"' },
};
const foreign: Problem = {
  status: 403,
  title: "Not sent from here",
  detail: "This was sent by a page of another site, so nothing was done.",
};
