import { isFramePage, mayBeFramed } from "@farthing/site/server/framing.ts";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { AppParts, WebParts } from "../app-parts.ts";
import { ANY_ORIGIN, plainPage, type PlainPage } from "./plain-page.ts";
import { isForPrograms, problemResponse, type Problem } from "./problem.ts";
import { isReadOnly } from "./read-only-paths.ts";
import { originOf } from "./request-origin.ts";

export type Refuse = (context: Context<AppEnv>, problem: Problem) => Promise<Response>;

/**
 * Returns a function that refuses a request with a page in the look of the brand it was sent to, or plainly if there
 * is none.
 */
export function refuseInBrandLook(web: WebParts | null, config: AppParts["config"]): Refuse {
  return async (context, problem) =>
    (frameAround(context) ? null : await brandPage(web, context, problem, config)) ?? refusePlainly(context, problem);
}

/**
 * Returns who may frame a refusal, and what they are told: the page around a partner's frame hears at once that its page does not come (W9), and a
 * person sees our sentence instead of the browser's error page. Null: the request is not a frame's, or its page is never framed.
 */
export function frameAround(context: Context<AppEnv>): NonNullable<PlainPage["frame"]> | null {
  const { path } = context.req;
  if (context.req.header("sec-fetch-dest") !== "iframe" || !(path === "/redirect" || mayBeFramed(path))) return null;
  return { origin: ANY_ORIGIN, problem: "error" };
}

/** Refuses in the form that the caller reads: problem+json for programs, a plain page for people (Z5). */
export function refusePlainly(context: Context<AppEnv>, problem: Problem): Response {
  if (isForPrograms(context.req.path)) return problemResponse(problem);
  const { status, title, detail = "", headers = {} } = problem;
  return plainPage({ status, title, text: detail, headers, frame: frameAround(context) });
}

async function brandPage(
  web: WebParts | null,
  context: Context<AppEnv>,
  { status, title, detail = "", headers = {} }: Problem,
  config: AppParts["config"],
): Promise<Response | null> {
  const { path } = context.req;
  const isPage = !/^\/admin(\/|$)/.test(path) && !isForPrograms(path) && !isFramePage(path) && !isReadOnly(path);
  const origin = originOf(context, config);
  if (!web || !isPage || origin === null) return null;
  const page = await web.pages.answerRefusal(
    context.req.raw,
    { origin, address: context.get("clientAddress") },
    { status, title, text: detail },
  );
  for (const [name, value] of Object.entries(headers)) page?.headers.set(name, value);
  return page;
}
