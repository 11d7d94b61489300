import type { Admin, AdminVisit } from "@farthing/admin/server/admin-handler.ts";
import type { SessionOperator } from "@farthing/core/operators/sessions.server.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import type { StaticFiles } from "../http/fast/static-files.ts";
import { isForeignPost } from "../http/foreign-posts.ts";
import { isTakenByPages, isUpload } from "../http/posted-forms.ts";
import { problems } from "../http/problems.ts";
import { readBody } from "../http/read-input.ts";
import { refusePlainly } from "../http/refuse.ts";
import { originOf, hostnameOf, type OriginOptions } from "../http/request-origin.ts";

export interface AdminRouteParts {
  admin: Admin;
  /** The files of the build, without /admin before their paths. */
  files: StaticFiles;
  brands: BrandLookup;
  operatorOf(cookieHeader: string | null): Promise<SessionOperator | null>;
  config: OriginOptions & { devPages: boolean };
}

/**
 * /admin on every host name of the deployment (Z1): refuses what no page of ours sent, knows the operator by the session,
 * and locks every answer down.
 */
export function adminRoutes({ admin, files, brands, operatorOf, config }: AdminRouteParts): Hono<AppEnv> {
  const policy = adminPolicy(config);

  async function answer(context: Context<AppEnv>): Promise<Response> {
    const { req: request } = context;
    const path = request.path.slice("/admin".length);
    const file = await files(path, {
      method: request.method,
      acceptEncoding: request.header("accept-encoding"),
      ifNoneMatch: request.header("if-none-match"),
    });
    if (file) return file;
    if (path.startsWith("/assets/")) return refusePlainly(context, problems.notFound);
    const origin = originOf(context, config);
    if (origin === null) return refusePlainly(context, problems.noHost);
    if (!(await brands(hostnameOf(origin)))) return refusePlainly(context, problems.unknownHost);
    const post = {
      method: request.method,
      origin: request.header("origin"),
      fetchSite: request.header("sec-fetch-site"),
      ownOrigin: origin,
    };
    if (isForeignPost(post)) return refusePlainly(context, problems.foreignPost);
    if (request.method === "POST" && !isTakenByPages(request)) return refusePlainly(context, problems.notAForm);
    if (!isUpload(request) && !(await readBody(context))) return refusePlainly(context, problems.unreadableBody);
    // What the router would answer to its own script: the admin has none, so the data of a page has no address.
    if (request.path.endsWith(".data")) return refusePlainly(context, problems.notFound);
    const operator = await operatorOf(request.header("cookie") ?? null);
    context.set("operatorId", operator?.id);
    const visit: AdminVisit = {
      requestId: context.get("requestId"),
      operator,
      origin,
      clientAddress: context.get("clientAddress"),
    };
    return lockedDown(await admin(requestAt(context.req.raw, origin), visit));
  }

  function lockedDown(page: Response): Response {
    const headers = new Headers(page.headers);
    headers.set("Cache-Control", "no-store");
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", policy);
    if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "same-origin");
    if (config.publicScheme === "https") secureCookies(headers);
    return new Response(page.body, { status: page.status, headers });
  }

  return new Hono<AppEnv>().all("/admin", answer).all("/admin/*", answer);
}

/**
 * Script, styles and forms of our own origin only, nothing inline, and no frame around it. Development loads modules
 * with inline styles, and a socket for hot reload.
 */
function adminPolicy({ publicScheme, devPages }: AdminRouteParts["config"]): string {
  const dev = devPages ? " 'unsafe-inline'" : "";
  return [
    "default-src 'none'",
    `script-src 'self'${dev}`,
    `style-src 'self'${dev}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${devPages ? " ws:" : ""}`,
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...(publicScheme === "https" ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/**
 * Returns the request as the operator sees it: at their origin, and with our own Origin, which foreign-posts.ts has
 * checked.
 */
function requestAt(request: Request, origin: string): Request {
  const { pathname, search } = new URL(request.url);
  const isReading = request.method === "GET" || request.method === "HEAD";
  const headers = new Headers(request.headers);
  headers.set("host", origin.slice(origin.indexOf("//") + 2));
  headers.delete("x-forwarded-host");
  if (!isReading && headers.has("origin")) headers.set("origin", origin);
  const body = !isReading && request.body ? { body: request.body, duplex: "half" as const } : {};
  return new Request(origin + pathname + search, { method: request.method, headers, signal: request.signal, ...body });
}

/** The app's small cookies (colours, where to go after the sign-in) do not know the scheme. */
function secureCookies(headers: Headers): void {
  const cookies = headers.getSetCookie();
  headers.delete("Set-Cookie");
  for (const cookie of cookies) headers.append("Set-Cookie", /;\s*secure/i.test(cookie) ? cookie : `${cookie}; Secure`);
}
