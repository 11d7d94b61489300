import type { Server } from "node:http";
import type { CreateSite } from "@farthing/site/server/site-handler.ts";
import type { CreateAdmin } from "@farthing/admin/server/admin-handler.ts";
import type { Hono } from "hono";
import { loadAdminBuild } from "./admin/open-admin.ts";
import type { AppEnv } from "./app-env.ts";
import { createApp } from "./app.ts";
import { findBrandAddresses, type Announcement } from "./brands/brand-addresses.ts";
import { brandOrigins } from "./brands/brand-origins.ts";
import type { Config } from "./env.ts";
import { createListener } from "./http/listener.ts";
import { listen, openHttpServer } from "./http/open-http-server.ts";
import type { Logger, LogRequest } from "./monitoring/logger.ts";
import { archiveFolders, readSystemId } from "@farthing/db/backups/archive.ts";
import { newestBackupAt } from "@farthing/db/backups/manifest.ts";
import { watchClub } from "./monitoring/club-metrics.ts";
import { openMetrics } from "./monitoring/metrics.ts";
import { Readiness } from "./monitoring/readiness.ts";
import { openNetworks } from "./networks/open-networks.ts";
import { openWeb } from "./open-web.ts";
import { openWorker } from "./open-worker.ts";
import { loadSiteBuild } from "./pages/open-site.ts";
import type { SitePages } from "./pages/site-pages.ts";
import { openCards } from "./payments/open-cards.ts";
import { databaseFitness } from "./process/database-fitness.ts";
import { openCollector } from "./telemetry/open-collector.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import { openFitDatabase } from "./process/open-fit-database.ts";
import { openReads } from "./process/open-reads.ts";
import type { Closing } from "./process/shutdown.ts";
import type { ServerParts } from "./server-parts.ts";

export interface StartParts {
  config: Config;
  logger: Logger;
  logRequest: LogRequest;
  /** Receives progress, in words for a person. */
  tell(line: string): void;
  /** Takes each part as it is opened. Close them in reverse order, also when the start fails half-way. */
  closing: Closing[];
  /** Receives what the command that has started the process prints. Called before /readyz answers 200. */
  announce?: ((announcement: Announcement) => void) | undefined;
  /** Called with the reason when the process can't go on and has to stop. */
  onFatal?: (reason: string) => void;
  /** Loads the site; its build by default. */
  loadSite?: () => Promise<CreateSite>;
  /** Loads the operators' admin; its build by default. Null, and the default where `loadSite` is given: no admin. */
  loadAdmin?: (() => Promise<CreateAdmin>) | null;
}

export interface StartedServer {
  server: Server;
  readiness: Readiness;
  /** The app behind the listener; tests read its routes. */
  app: Hono<AppEnv>;
  /** The pages of the web role, in whose stores tests look for what must not be there. */
  pages: SitePages | null;
}

/**
 * The composition root: opens what lives as long as the process, in order. Resolves when the server listens and
 * /readyz answers 200.
 * @throws StartError if the port is taken, the database can't be used or the site has not been built.
 */
export async function startServer(settings: StartParts): Promise<StartedServer> {
  const { config, logger, tell, closing, loadSite = loadSiteBuild } = settings;
  const { loadAdmin = settings.loadSite ? null : loadAdminBuild } = settings;
  const { onFatal = (reason) => logger.fatal(reason) } = settings;
  const tracing = await openTracing({ config, logger, closing });
  const logRequest = tracing.named(settings.logRequest);
  const database = await openFitDatabase({ config, logger, tell, closing, onFatal });
  const metrics = openMetrics(database);
  const parts: ServerParts = {
    ...database,
    readStale: openReads({ config, db: database.db, logger, closing, metrics }),
    config,
    logger,
    closing,
    server: openHttpServer(logger),
    metrics,
    networks: openNetworks(config.networks),
    cards: openCards(config),
    now: () => new Date(),
  };
  const { db, server } = parts;
  watchClub(metrics.registry, db, { now: parts.now, backedUpAt: whenBackedUp(config, database.dataFolder) });

  const web = config.roles.has("web") ? await openWeb(parts, { loadSite, loadAdmin }) : null;
  const collector = config.roles.has("collector") ? await openCollector(parts) : null;
  if (config.roles.has("worker")) openWorker(parts);

  const readiness = new Readiness(() => databaseFitness(db));
  const app = createApp({ config, logger, logRequest, metrics, readiness, web: web?.parts ?? null, collector });
  const listener = createListener({
    app,
    collector,
    cache: web?.parts.pages.cache ?? null,
    config,
    sessionCookieName: web?.sessionCookieName ?? "",
    metrics,
    logger,
    logRequest,
    readiness,
  });
  server.on("request", tracing.around(web ? web.around(listener) : listener));
  await listen(server, config);
  settings.announce?.({ brands: await findBrandAddresses(db, brandOrigins(config)) });
  readiness.open();
  return { server, readiness, app, pages: web?.parts.pages ?? null };
}

/** Returns how to find the last base backup, where base backups are ours. */
function whenBackedUp({ backupDir }: Config, dataFolder: string | null): (() => Date | null) | undefined {
  if (backupDir === null || dataFolder === null) return undefined;
  const { base } = archiveFolders(backupDir, readSystemId(dataFolder));
  return () => newestBackupAt(base);
}
