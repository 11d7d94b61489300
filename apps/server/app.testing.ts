import type { Brand } from "@farthing/core/brands/brand.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { Hono } from "hono";
import { pino } from "pino";
import type { AppEnv } from "./app-env.ts";
import type { AppParts, WebParts } from "./app-parts.ts";
import { createApp } from "./app.ts";
import { sessionCookie } from "./sign-in/session-cookie.ts";
import { requestLogger } from "./monitoring/logger.ts";
import { openMetrics } from "./monitoring/metrics.ts";
import type { SiteHandler } from "./pages/site-handler.ts";
import { sitePages, strangersVisit } from "./pages/site-pages.ts";
import { Readiness } from "./monitoring/readiness.ts";
import { hostnameOf } from "./http/request-origin.ts";
import { securityHeaders } from "./http/security-headers.ts";

/** Returns a page as the site renders it, its script marked with the visit's nonce. */
export function htmlPage(body: string, visit: Visit, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(
    `<!doctype html><html><head><title>Test</title></head><body>${body}<script nonce="${visit.nonce}">hydrate()</script></body></html>`,
    { ...init, headers },
  );
}

/** Sessions of acting where there are none. */
const nobodyActs: WebParts["acting"] = {
  of: async () => null,
  note: async () => false,
  setCookie: () => "",
  clearCookie: () => "",
};

/** Returns the app around a test's own site, with parts that a test may replace, and what tests read. */
export function testApp(brands: Brand[], site: SiteHandler, replaced: Partial<AppParts & WebParts> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "debug", base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const config = {
    publicScheme: "http",
    trustProxy: false,
    metricsToken: null,
    ...replaced.config,
  } as AppParts["config"];
  const lookup =
    replaced.brands ?? (async (host: string) => brands.find(({ slug }) => host === `${slug}.test`) ?? null);
  const readiness = replaced.readiness ?? new Readiness(async () => undefined);
  readiness.open();
  const metrics = openMetrics();
  const clock = { now: Date.now() };
  const pages = sitePages({
    site,
    strangerAt: async (origin) => {
      const brand = await lookup(hostnameOf(origin));
      return brand && strangersVisit(brand, origin);
    },
    publicScheme: config.publicScheme,
    sessionCookie: sessionCookie(config.publicScheme),
    headers: securityHeaders(config),
    favouritesOf: async () => [],
    moneyOf: async () => "",
    onCache: (outcome) => metrics.pageCache(outcome),
    onError: (error) => logger.error({ err: error }, "refresh failed"),
    now: () => clock.now,
  });
  const none = new Hono<AppEnv>();
  const web: WebParts = {
    brands: lookup,
    accounts: { memberOf: async () => null },
    acting: nobodyActs,
    actingRoutes: none,
    pages,
    files: async () => null,
    goRoutes: none,
    identityRoutes: none,
    sitemapRoutes: none,
    artRoutes: none,
    webhookRoutes: none,
    apiRoutes: [],
    adminRoutes: none,
    widgetRoutes: none,
    widgetSessions: { of: async () => null },
    redirectRoutes: none,
    ...replaced,
  };
  const app = createApp({ logger, logRequest: requestLogger(logger), metrics, readiness, web, ...replaced, config });
  return { app, pages, metrics, readiness, lines, clock, logger, config };
}
