import { isFramePage } from "@farthing/site/server/framing.ts";
import type { WidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import type { WidgetVisit } from "@farthing/site/server/visit.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import type { Accounts } from "./sign-in/accounts.ts";
import type { AppEnv } from "./app-env.ts";
import type { BrandLookup } from "./brands/brand-lookup.ts";
import type { Config } from "./env.ts";
import { isForeignPost } from "./http/foreign-posts.ts";
import { healthRoutes } from "./monitoring/health-routes.ts";
import { limitBody } from "./http/limit-body.ts";
import { tenthsSince, type Logger, type LogRequest } from "./monitoring/logger.ts";
import type { Metrics } from "./monitoring/metrics.ts";
import { newNonce, type SitePages } from "./pages/site-pages.ts";
import { plainPage } from "./http/plain-page.ts";
import { isForPrograms, problemResponse, type Problem } from "./http/problem.ts";
import { isReadableAddress, readableBody, unreadableAddress, unreadableBody } from "./http/readable-input.ts";
import type { Readiness } from "./monitoring/readiness.ts";
import type { WidgetSessions } from "./partners/widget-sessions.ts";
import { requestIdOf } from "./http/request-id.ts";
import { clientAddress, hostnameOf, incomingOf, requestOrigin } from "./http/request-origin.ts";
import { routePattern } from "./http/route-pattern.ts";
import { isSentWith, lockedDownPolicy, securityHeaders } from "./http/security-headers.ts";
import type { StaticFiles } from "./static/static-files.ts";
import { isMultipart, mostUploadBytes, takesOneClick, takesUploads } from "./attachments/upload-paths.ts";

export interface AppParts {
  config: Pick<Config, "publicScheme" | "trustProxy" | "metricsToken"> & Partial<Pick<Config, "environment">>;
  logger: Logger;
  logRequest: LogRequest;
  metrics: Metrics;
  readiness: Readiness;
  /** What the role web serves; null in a process that has other roles only and answers just for its health. */
  web: WebParts | null;
}

export interface WebParts {
  brands: BrandLookup;
  accounts: Pick<Accounts, "memberOf">;
  pages: SitePages;
  files: StaticFiles;
  /** /webhooks/… is called by networks, /art/… belongs to the catalogue all brands share: neither needs a brand. */
  webhookRoutes: Routes;
  artRoutes: Routes;
  /** /api/…: called by programs, which prove themselves; no visit. */
  apiRoutes: readonly Routes[];
  /** /widget/…: the script that partners' pages load. */
  widgetRoutes: Routes;
  widgetSessions: Pick<WidgetSessions, "of">;
  /** /redirect: where a partner's frame begins; with a visit. */
  redirectRoutes: Routes;
  /** /go/…: reached at a brand's host, with a visit. */
  goRoutes: Routes;
  /** The brand's icons, images and manifest; with a visit. */
  identityRoutes: Routes;
  /** /robots.txt and the sitemap of the brand that is asked. */
  sitemapRoutes: Routes;
}

/** A noun's own routes, with their whole paths; they read what the server found out with `context.get("visit")`. */
// oxlint-disable-next-line typescript/no-explicit-any -- a Hono app of one environment is not assignable to one of another, although it may be mounted
export type Routes = Hono<any, any, any>;

/** Largest body of any request so far: forms and networks' pushes. */
const mostBodyBytes = 256 * 1024;

/** The way of a request (architecture.md), in order. Gives an app that turns a Request into a Response; main.ts puts it behind a listener. */
export function createApp(parts: AppParts): Hono<AppEnv> {
  const { config, web } = parts;
  const app = new Hono<AppEnv>();
  app.onError((error, context) => failed(error, context, parts));
  const refuse = refuser(web, config);
  app.notFound((context) => refusePlainly(context, notFound));

  app.use(identify(parts));
  app.use(allowMethods(refuse));
  app.use(limitBodies(refuse));
  app.use(readInput(refuse));
  app.route("/", healthRoutes({ ...parts, ...config }));
  if (web) mountWeb(app, web, config, refuse);
  return app;
}

function mountWeb(app: Hono<AppEnv>, web: WebParts, config: AppParts["config"], refuse: Refuse): void {
  const answerWithPage = (context: Context<AppEnv>) => web.pages.answer(context.req.raw, context.get("visit"));
  app.notFound((context) => (context.get("visit") ? answerWithPage(context) : refusePlainly(context, notFound)));

  app.use(async (context, next) => {
    const headers = {
      acceptEncoding: context.req.header("accept-encoding"),
      ifNoneMatch: context.req.header("if-none-match"),
    };
    return (await web.files(context.req.path, { method: context.req.method, ...headers })) ?? (await next());
  });
  app.route("/", web.webhookRoutes);
  app.all("/webhooks/*", (context) => refusePlainly(context, notFound));
  for (const routes of web.apiRoutes) app.route("/", routes);
  app.all("/api/*", (context) => refusePlainly(context, notFound));
  app.all("/assets/*", (context) => refusePlainly(context, notFound));
  app.route("/", web.artRoutes);
  app.all("/art/*", (context) => refusePlainly(context, notFound));
  app.route("/", web.widgetRoutes);
  app.all("/widget/*", (context) => refusePlainly(context, notFound));

  app.use(visit(web, config, refuse));
  app.route("/", web.redirectRoutes);
  app.route("/", web.goRoutes);
  app.route("/", web.identityRoutes);
  app.route("/", web.sitemapRoutes);
  app.all("*", answerWithPage);
}

/** First in, last out: request id, address, security headers, log and figures. */
function identify({ config, logRequest, metrics }: AppParts): MiddlewareHandler<AppEnv> {
  const always = Object.entries(securityHeaders(config.publicScheme));
  return async (context, next) => {
    const started = performance.now();
    const incoming = incomingOf(context);
    const requestId = requestIdOf(incoming, config.trustProxy);
    context.set("requestId", requestId);
    context.set("clientAddress", clientAddress(incoming, config.trustProxy));
    await next();
    // Set where they are: context.header would make another Response around the body's stream for each.
    const { headers } = context.res;
    const type = headers.get("content-type");
    const isFramed = /frame-ancestors (?!'none')/.test(headers.get("content-security-policy") ?? "");
    for (const [name, value] of always) {
      if (!isSentWith(name, type)) continue;
      // X-Frame-Options knows no single origin: where the policy names one, it would only say no.
      if (!headers.has(name) && !(isFramed && name === "X-Frame-Options")) headers.set(name, value);
    }
    if (!headers.has("content-security-policy") && isSentWith("Content-Security-Policy", type))
      headers.set("Content-Security-Policy", lockedDownPolicy);
    headers.set("X-Request-Id", requestId);
    const route = routePattern(context.req.path);
    const status = hasHungUp(context) ? 499 : context.res.status;
    metrics.request(route, status, performance.now() - started);
    const visit = context.get("visit") as AppEnv["Variables"]["visit"] | undefined;
    logRequest({
      requestId,
      method: context.req.method,
      route,
      status,
      ms: tenthsSince(started),
      brand: visit?.brand.slug,
      member: visit?.member?.id,
    });
  };
}

/** Whoever asked has gone: what came of it is nobody's failure, and counted apart (499, as nginx has it). */
function hasHungUp(context: Context<AppEnv>): boolean {
  return context.env?.outgoing?.destroyed === true;
}

const readOnly = /^\/(assets|art|brand|widget|healthz|readyz|metrics)(\/|$)/;

/** Pages are read and posted to; everything of the server's own but webhooks is only read. */
const allowMethods =
  (refuse: Refuse): MiddlewareHandler<AppEnv> =>
  async (context, next) => {
    const allowed = readOnly.test(context.req.path) ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
    if (allowed.includes(context.req.method)) return next();
    const allow = allowed.join(", ");
    return refuse(context, {
      status: 405,
      title: "Method not allowed",
      detail: `This address answers ${allow}.`,
      headers: { Allow: allow },
    });
  };

const limitBodies =
  (refuse: Refuse): MiddlewareHandler<AppEnv> =>
  async (context, next) => {
    if (isUpload(context)) {
      // Read as it comes by the page that takes it (uploads/receive-multipart.ts), which counts bytes too.
      if (Number(context.req.header("content-length") ?? 0) > mostUploadBytes) return refuse(context, tooLarge);
      return next();
    }
    const limited = await limitBody(context.req.raw, mostBodyBytes);
    if (limited === null) return refuse(context, tooLarge);
    context.req.raw = limited;
    return next();
  };

/** What programs send is read here; posts to pages once it is known that they come from our own (visit). */
const readInput =
  (refuse: Refuse): MiddlewareHandler<AppEnv> =>
  async (context, next) => {
    if (!isReadableAddress(context.req.url)) return refuse(context, unreadableAddress);
    if (!isForPrograms(context.req.path)) return next();
    return (await takeBody(context)) ? next() : refuse(context, unreadableBody);
  };

/** Whether the body is text, where it is of a type that is read as text. */
async function takeBody(context: Context<AppEnv>): Promise<boolean> {
  const readable = await readableBody(context.req.raw);
  if (readable === null) return false;
  context.req.raw = readable;
  return true;
}

/** Host name -> brand, session -> member, and no posts from other origins. */
function visit(
  { brands, accounts, widgetSessions }: WebParts,
  config: AppParts["config"],
  refuse: Refuse,
): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const origin = originOf(context, config);
    if (origin === null)
      return refuse(context, {
        status: 400,
        title: "Bad request",
        detail: "The request does not say which site it is for.",
      });
    const brand = await brands(hostnameOf(origin));
    if (!brand) return refuse(context, misdirected);
    const post = {
      method: context.req.method,
      origin: context.req.header("origin"),
      fetchSite: context.req.header("sec-fetch-site"),
      ownOrigin: origin,
    };
    if (isForeignPost(post)) return refuse(context, foreign);
    if (
      context.req.method === "POST" &&
      !isForm(context.req.header("content-type")) &&
      !isUpload(context) &&
      !isOneClick(context)
    )
      return refuse(context, notAForm);
    if (!isUpload(context) && !(await takeBody(context))) return refuse(context, unreadableBody);
    const isInFrame = isFramePage(context.req.path);
    const framed = isInFrame ? await widgetSessions.of((name) => context.req.header(name)) : null;
    if (isInFrame && !framed) return refusePlainly(context, outsideFrame);
    // In a partner's frame nobody is a member: its page must not get one to press something in their own name.
    const member = isInFrame ? null : await accounts.memberOf(brand, context.req.header("cookie"));
    context.set("visit", {
      requestId: context.get("requestId"),
      brand,
      member,
      nonce: newNonce(),
      origin,
      clientAddress: context.get("clientAddress"),
      widget: framed && inFrame(framed.session),
    });
    return next();
  };
}

/** The bearer stays with the page that /redirect answered with. */
function inFrame({ id, partner: { name, publicId }, origin }: WidgetSession): WidgetVisit {
  return { sessionId: id, partner: { name, publicId }, origin, bearer: null };
}

function isUpload({ req }: Context<AppEnv>): boolean {
  return req.method === "POST" && takesUploads(req.path) && isMultipart(req.header("content-type"));
}

function isOneClick({ req }: Context<AppEnv>): boolean {
  return takesOneClick(req.path) && isMultipart(req.header("content-type"));
}

/** What pages post, but for the few that take a file. Anything else, also without a type, is not from a page of ours. */
function isForm(contentType: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? "");
}

const unavailable: Problem = {
  status: 503,
  title: "Please try again in a moment",
  detail: "A part of this site is being restarted. Wait a few seconds, then do the same again.",
  headers: { "Retry-After": "5" },
};
const notFound: Problem = { status: 404, title: "Not found", detail: "There is nothing at this address." };
const tooLarge: Problem = {
  status: 413,
  title: "Too large",
  detail: `At most ${mostBodyBytes / 1024} kB can be sent here.`,
};
const misdirected: Problem = {
  status: 421,
  title: "No club at this address",
  detail: "This server does not know the name it was called by. Check the address you typed.",
};
const foreign: Problem = {
  status: 403,
  title: "Not sent from here",
  detail: "This was sent by a page of another site, so nothing was done. Open the page here and try again.",
};

const outsideFrame: Problem = {
  status: 401,
  title: "This page belongs in another",
  detail:
    "It opens inside a page of a shop that works with us, for half an hour. Go to that page and start again, or reload it.",
};

const notAForm: Problem = {
  status: 415,
  title: "Not a form",
  detail: "Only forms (application/x-www-form-urlencoded) can be sent here.",
};

type Refuse = (context: Context<AppEnv>, problem: Problem) => Promise<Response>;

/** Null also for what looks like a host and is none (1.2.3.4.5, port 99999): every page makes addresses of it. */
function originOf(context: Context<AppEnv>, config: AppParts["config"]): string | null {
  const origin = requestOrigin(incomingOf(context), config);
  return origin !== null && URL.canParse(origin) ? origin : null;
}

/** Refuses in the look of the brand that was called, where there is one; else plainly. */
function refuser(web: WebParts | null, config: AppParts["config"]): Refuse {
  return async (context, problem) =>
    (await inBrandsLook(web, context, problem, config)) ?? refusePlainly(context, problem);
}

async function inBrandsLook(
  web: WebParts | null,
  context: Context<AppEnv>,
  { status, title, detail = "", headers = {} }: Problem,
  config: AppParts["config"],
): Promise<Response | null> {
  const origin = originOf(context, config);
  const { path } = context.req;
  const isPage = !isForPrograms(path) && !isFramePage(path) && !readOnly.test(path);
  if (!web || !isPage || origin === null) return null;
  const page = await web.pages.answerRefusal(
    context.req.raw,
    { origin, address: context.get("clientAddress") },
    { status, title, text: detail },
  );
  for (const [name, value] of Object.entries(headers)) page?.headers.set(name, value);
  return page;
}

/** The same refusal in the form the caller reads: problem+json for programs, a page for people. */
function refusePlainly(context: Context<AppEnv>, problem: Problem): Response {
  if (isForPrograms(context.req.path)) return problemResponse(problem);
  const { status, title, detail = "", headers = {} } = problem;
  return plainPage({ status, title, text: detail, headers });
}

/**
 * The error goes to the log with the request's id; the caller gets the id and a way on, never the error. Where the database does not answer,
 * that is 503: what was asked is rolled back, and the same asked again in a moment succeeds.
 */
async function failed(error: Error, context: Context<AppEnv>, { logger, web, config }: AppParts): Promise<Response> {
  const requestId = context.get("requestId");
  const route = routePattern(context.req.path);
  if (error instanceof DatabaseUnavailableError) {
    logger.warn({ requestId, route, err: error }, "the database does not answer");
    const visit = context.get("visit") as AppEnv["Variables"]["visit"] | undefined;
    // Only where the brand is known: to ask for it would be to ask the database.
    const page = visit && (await inBrandsLook(web, context, unavailable, config).catch(() => null));
    return page ?? refusePlainly(context, unavailable);
  }
  const level = hasHungUp(context) ? "debug" : "error";
  logger[level]({ requestId, route, err: error }, "request failed");
  if (isForPrograms(context.req.path)) {
    return problemResponse({
      status: 500,
      title: "Something went wrong",
      detail: `It is on our side. Try again; if it stays, tell us the number ${requestId}.`,
    });
  }
  return plainPage({
    status: 500,
    title: "Something went wrong",
    text: `It is on our side, and we have a note of it. Try again in a moment. If it stays, tell us the number ${requestId}.`,
    link: { href: "/", label: "Go to the start page" },
  });
}
