import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { forgetOldTries } from "@farthing/core/members/login-tries.server.ts";
import { forgetExpiredSessions } from "@farthing/core/members/operations.server.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { createAwinProvider } from "@farthing/providers/affiliates/awin/awin-provider.ts";
import type { CreateSite, SiteServices } from "@farthing/site/server/site-handler.ts";
import { Hono } from "hono";
import { sql } from "kysely";
import { openAccounts } from "./accounts/accounts.ts";
import { createApp } from "./app.ts";
import { brandLookup } from "./brands/brand-lookup.ts";
import { deriveKey } from "./derive-key.ts";
import { openDevPages } from "./dev-pages.ts";
import { ConfigurationError, readConfig, type Config } from "./env.ts";
import { goRoutes } from "./go/go-routes.ts";
import { createListener } from "./listener.ts";
import { openLogger } from "./logger.ts";
import { openMetrics } from "./metrics.ts";
import { openServerDatabase } from "./open-database.ts";
import { sitePages, strangersVisit, type SiteHandler } from "./pages/site-pages.ts";
import { Readiness } from "./readiness.ts";
import { hostnameOf } from "./request-origin.ts";
import { securityHeaders } from "./security-headers.ts";
import { seedDevelopment } from "./seed-development.ts";
import { createShutdown } from "./shutdown.ts";
import { staticFiles } from "./static/static-files.ts";

const siteBuild = new URL("../site/build/", import.meta.url);

/** The composition root (architecture.md): opens what lives as long as the process, in order, and hands it to those who use it. */
async function main(config: Config): Promise<void> {
  const isDevelopment = config.environment === "dev";
  const { logger, close: closeLogger } = openLogger(config);
  const tell = (line: string) => (isDevelopment ? process.stdout.write(`${line}\n`) : logger.info(line));

  const database = await openServerDatabase(config, tell);
  const { db, pool } = database;
  if (isDevelopment) await seedDevelopment({ db, dataDir: config.dataDir, tell });

  const readiness = new Readiness(() => sql`select 1`.execute(db));
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 15_000, requestTimeout: 60_000, maxHeaderSize: 16 * 1024 });
  const metrics = openMetrics({ pool, cachedBytes: () => pages.cache.bytes });
  const accounts = openAccounts({
    db,
    key: deriveKey(config.secret, "session-cookie"),
    publicScheme: config.publicScheme,
    log: (level, message) => logger[level]({ part: "accounts" }, message),
    onLogIn: (outcome) => metrics.logIn(outcome),
  });
  const services: SiteServices = {
    db,
    accounts,
    revealSecret: deriveKey(config.secret, "reveal-token"),
    now: () => new Date(),
    reportError: (error, visit) => logger.error({ requestId: visit.requestId, brand: visit.brand.slug, err: error }, "page failed"),
  };
  const devPages = config.devPages ? await openDevPages({ server, services }) : null;
  const site = devPages?.site ?? (await builtSite(services));
  const brands = brandLookup({ findByHost: (host) => findBrandByHost(db, host), findDefault: isDevelopment ? () => findDefaultBrand(db) : undefined });
  const pages = sitePages({
    site,
    strangerAt: async (origin) => {
      const brand = await brands(hostnameOf(origin));
      return brand && strangersVisit(brand, origin);
    },
    publicScheme: config.publicScheme,
    sessionCookie: accounts.cookie,
    headers: securityHeaders(config.publicScheme),
    devPages: config.devPages,
    onCache: (outcome) => metrics.pageCache(outcome),
    onError: (error) => logger.error({ err: error }, "a page could not be rendered again"),
  });

  const networks = createNetworkRegistry([createAwinProvider(config.awin)]);
  const clicks = createClickRecorder({ db });
  const app = createApp({
    config,
    logger,
    metrics,
    readiness,
    brands,
    accounts,
    pages,
    files: staticFiles(fileURLToPath(new URL("client", siteBuild))),
    goRoutes: goRoutes({ db, clicks, networks, now: () => new Date() }),
    artRoutes: new Hono(),
    webhookRoutes: new Hono(),
  });
  const listener = createListener({ app, cache: pages.cache, config, sessionCookieName: accounts.cookie.name, metrics, logger, readiness });
  server.on("request", devPages ? devPages.around(listener) : listener);

  const sweeping = config.roles.has("worker") ? startSweeping() : null;
  const stop = createShutdown({
    server,
    readiness,
    logger,
    drainMs: config.drainSeconds * 1000,
    closing: [
      { name: "hot reload", close: () => devPages?.close() },
      { name: "sweeping", close: () => clearInterval(sweeping ?? undefined) },
      { name: "click recorder", close: () => clicks.close() },
      { name: "database pool", close: () => database.close() },
      { name: "embedded database", close: () => database.embedded?.stop() },
      { name: "log", close: closeLogger },
    ],
    exit: (code) => process.exit(code),
  });
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  readiness.open();
  tell(`Listening on http://${config.host}:${config.port}`);

  /** What is over is removed now and then; nothing depends on when. */
  function startSweeping(): NodeJS.Timeout {
    const sweep = () => Promise.all([forgetOldTries(db), forgetExpiredSessions(db)]).catch((error: unknown) => logger.error({ err: error }, "sweeping failed"));
    return setInterval(() => void sweep(), 15 * 60 * 1000).unref();
  }
}

async function builtSite(services: SiteServices): Promise<SiteHandler> {
  const { createSite } = (await import(new URL("server/index.js", siteBuild).href)) as { createSite: CreateSite };
  return createSite(services);
}

try {
  await main(readConfig());
} catch (error) {
  // What a person can put right is told in words; anything else with its stack, for whoever has to find it.
  process.stderr.write(`${error instanceof ConfigurationError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
