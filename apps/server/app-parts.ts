import type { Hono } from "hono";
import type { ActingSessions } from "./account-access/open-acting.ts";
import type { BrandLookup } from "./brands/brand-lookup.ts";
import type { Config } from "./env.ts";
import type { StaticFiles } from "./http/fast/static-files.ts";
import type { Logger, LogRequest } from "./monitoring/logger.ts";
import type { Metrics } from "./monitoring/metrics.ts";
import type { Readiness } from "./monitoring/readiness.ts";
import type { SitePages } from "./pages/site-pages.ts";
import type { WidgetSessions } from "./partners/widget-sessions.ts";
import type { Accounts } from "./sign-in/accounts.ts";
import type { Collector } from "./telemetry/collector.ts";

/** What the app is made of. */
export interface AppParts {
  config: Pick<Config, "publicScheme" | "trustProxy" | "metricsToken"> &
    Partial<Pick<Config, "environment" | "hstsSubdomains">>;
  logger: Logger;
  logRequest: LogRequest;
  metrics: Metrics;
  readiness: Readiness;
  /** What the web role serves; null in a process without it, which answers health checks, and events if it collects them. */
  web: WebParts | null;
  /** /api/Telemetry; absent in a process without the role collector. */
  collector?: Collector | null;
}

export interface WebParts {
  brands: BrandLookup;
  accounts: Pick<Accounts, "memberOf">;
  /** Sessions in which operators act as members. */
  acting: ActingSessions;
  /** /acting: starts and stops such a session; needs a visit. */
  actingRoutes: Routes;
  pages: SitePages;
  files: StaticFiles;
  /** /webhooks/…: called by networks and card providers; no brand. */
  webhookRoutes: Routes;
  /** /art/…: belongs to the catalogue that all brands share; no brand. */
  artRoutes: Routes;
  /** /api/…: called by programs, which authenticate themselves; no visit. */
  apiRoutes: readonly Routes[];
  /** /widget/…: the script that partners' pages load. */
  widgetRoutes: Routes;
  widgetSessions: Pick<WidgetSessions, "of">;
  /** /admin on every host: operators' pages and files; no visit, because operators belong to no brand. */
  adminRoutes: Routes;
  /** /redirect: where a partner's frame starts; needs a visit. */
  redirectRoutes: Routes;
  /** /go/…: deal links on a brand's host; needs a visit. */
  goRoutes: Routes;
  /** The brand's icons, images and manifest; needs a visit. */
  identityRoutes: Routes;
  /** /robots.txt and the sitemap of the requested brand; needs a visit. */
  sitemapRoutes: Routes;
}

/**
 * A noun's routes with their full paths. Handlers read what the server knows of the request
 * with `context.get("visit")`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- a Hono app of one environment is not assignable to one of another, although it may be mounted
export type Routes = Hono<any, any, any>;
