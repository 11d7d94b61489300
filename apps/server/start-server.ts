import { existsSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { fileURLToPath } from "node:url";
import { findBrandByHost, findDefaultBrand } from "@farthing/core/brands/queries.server.ts";
import { categoryArt } from "@farthing/art/category-art.ts";
import { retailerMark } from "@farthing/art/retailer-mark.ts";
import { createClickRecorder, type ClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { createViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import type { CardProvider } from "@farthing/core/payments/provider.ts";
import { countPoolAlarms } from "@farthing/core/reveals/pool-alarms.server.ts";
import type { Db, OpenedDatabase } from "@farthing/db/client.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { createStripeProvider } from "@farthing/providers/cards/stripe/stripe-provider.ts";
import { createSmtpSender } from "@farthing/providers/mail/smtp-sender.ts";
import { cachedReads } from "@farthing/site/server/catalogue-reads.ts";
import type { CreateSite, SiteServices } from "@farthing/site/server/site-handler.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { Hono } from "hono";
import { openAccounts } from "./sign-in/accounts.ts";
import { answerMalformed } from "./http/answer-malformed.ts";
import type { AppEnv } from "./app-env.ts";
import { createApp, type WebParts } from "./app.ts";
import { additionalFieldsApi } from "./member-types/additional-fields.ts";
import { jobCategoriesApi } from "./member-types/job-categories.ts";
import { jobRolesApi } from "./member-types/job-roles.ts";
import { artRoutes } from "./art/art-routes.ts";
import { findArtName } from "./art/find-art-name.ts";
import { partnerApi } from "./partners/partner-sessions.ts";
import { paymentsApi } from "./payments/payment-routes.ts";
import { suggestionsApi } from "./search/suggestions.ts";
import { brandLookup } from "./brands/brand-lookup.ts";
import { databaseFitness } from "./process/database-fitness.ts";
import { deriveKey } from "./secrets/derive-key.ts";
import { openDevPages } from "./development/dev-pages.ts";
import type { Config } from "./env.ts";
import { goRoutes } from "./clicks/go-routes.ts";
import { identityRoutes } from "./brands/identity-routes.ts";
import { startCashbackJobs } from "./cashback/cashback-jobs.ts";
import { startClockWatch } from "./jobs/clock-watch.ts";
import { startClosureJobs } from "./closures/closure-jobs.ts";
import { startMailJobs } from "./mails/mail-jobs.ts";
import { startMembershipJobs } from "./verification-requests/membership-jobs.ts";
import { startNetworkJobs } from "./networks/network-jobs.ts";
import { startPaymentJobs } from "./payments/payment-jobs.ts";
import { startRetailerJobs } from "./alerts/retailer-jobs.ts";
import { startWebhookJobs } from "./partners/webhook-jobs.ts";
import { contained, createListener } from "./http/listener.ts";
import type { Logger, LogRequest } from "./monitoring/logger.ts";
import { openMetrics, type Metrics } from "./monitoring/metrics.ts";
import { openServerDatabase } from "./process/open-database.ts";
import { sitePages, strangersVisit, type SiteHandler } from "./pages/site-pages.ts";
import { Readiness } from "./monitoring/readiness.ts";
import { redirectRoutes } from "./partners/redirect-routes.ts";
import { widgetSessions } from "./partners/widget-sessions.ts";
import { hostnameOf } from "./http/request-origin.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { seedDevelopment } from "./development/seed-development.ts";
import type { Closing } from "./process/shutdown.ts";
import { serviceWorkerRoutes } from "./service-worker/service-worker-routes.ts";
import { sitemapRoutes } from "./sitemap/sitemap-routes.ts";
import { staticFiles } from "./static/static-files.ts";
import { StartError } from "./process/start-error.ts";
import { startSweeping } from "./process/sweeping.ts";
import { cutOffSlowPosts } from "./attachments/cut-off-slow-posts.ts";
import { openUploads } from "./attachments/open-uploads.ts";
import { openNetworks, type OpenedNetworks } from "./networks/open-networks.ts";
import { networkWebhooks } from "./networks/network-webhooks.ts";
import { stripeWebhooks } from "./payments/stripe-webhooks.ts";
import { readWidgetRelease, widgetFiles } from "./widget/widget-files.ts";

export interface StartParts {
  config: Config;
  logger: Logger;
  logRequest: LogRequest;
  /** Progress, for a person. */
  tell(line: string): void;
  /** Receives each thing opened, as it is opened: to be closed in reverse, also where starting fails half-way. */
  closing: Closing[];
  /** Called where the process can't go on, with the reason in words: it is to end, in order. */
  onFatal?: (reason: string) => void;
  /** Where the site comes from; its build, if nothing else is said. */
  loadSite?: () => Promise<CreateSite>;
}

export interface StartedServer {
  server: Server;
  readiness: Readiness;
  /** What answers behind the server's socket: tests ask it for its routes. */
  app: Hono<AppEnv>;
}

const siteBuild = new URL("../site/build/", import.meta.url);
const clientFolder = fileURLToPath(new URL("client", siteBuild));
const widgetFolder = fileURLToPath(new URL("../../packages/widget/dist", import.meta.url));

/**
 * The composition root (architecture.md): opens what lives as long as the process, in order, and hands it to those who use it. Resolves when
 * the server listens and /readyz answers 200.
 * @throws StartError where the port is taken or the site has not been built.
 */
export async function startServer({
  config,
  logger,
  logRequest,
  tell,
  closing,
  onFatal = (reason) => logger.fatal(reason),
  loadSite = loadCreateSite,
}: StartParts): Promise<StartedServer> {
  const isDevelopment = config.environment === "dev";
  const database = await openServerDatabase(config, tell, closing, onFatal);
  if (config.databaseUrl === null && config.environment === "production")
    logger.warn(
      "The embedded PostgreSQL serves production. It is PostgreSQL 18.4 from an npm package that calls itself a beta: set DATABASE_URL to a server of your own (docs/operations/running.md).",
    );
  const { db, pool } = database;
  await databaseFitness(db); // before anything is posted
  if (isDevelopment)
    await seedDevelopment({
      db,
      dataDir: config.dataDir,
      attachmentKey: deriveKey(config.secret, "attachment"),
      port: config.port,
      tell,
    });

  for (const note of await databaseFitness(db)) logger.warn(note);
  const readiness = new Readiness(() => databaseFitness(db));
  const server = createServer(serverLimits);
  server.on("clientError", answerMalformed);
  // A connection that could not be accepted (no file handles left): that one is lost, and the next is tried.
  server.on("error", (error) => {
    if (server.listening) logger.error({ err: error }, "a connection could not be accepted");
  });
  cutOffSlowPosts(server);
  const metrics = openMetrics({ pool });
  metrics.watchCodePools(() => countPoolAlarms(db));
  const networks = openNetworks(config.networks);
  const cards = config.stripe && createStripeProvider(config.stripe);
  const shared: SharedParts = { config, logger, logRequest, closing, db, server, metrics, networks, cards };
  const web = config.roles.has("web") ? await openWeb({ ...shared, loadSite }) : null;
  if (config.roles.has("worker")) openWorker(shared, pool);

  const app = createApp({ config, logger, logRequest, metrics, readiness, web: web?.parts ?? null });
  const direct = createListener({
    app,
    cache: web?.parts.pages.cache ?? null,
    config,
    sessionCookieName: web?.sessionCookieName ?? "",
    metrics,
    logger,
    logRequest,
    readiness,
  });
  server.on("request", web ? contained(web.around(direct), logger) : direct);
  await listen(server, config);
  readiness.open();
  return { server, readiness, app };
}

/** Slow senders are cut off, uploads after five minutes and all else after one (cut-off-slow-posts.ts); headers have room for a search of 10,000 characters, percent-encoded. */
const serverLimits: ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 64 * 1024,
};

interface SharedParts extends Pick<StartParts, "config" | "logger" | "logRequest" | "closing"> {
  db: Db;
  server: Server;
  metrics: Metrics;
  networks: OpenedNetworks;
  /** Null: payments are not set up here. */
  cards: CardProvider | null;
}

interface OpenedWeb {
  parts: WebParts;
  sessionCookieName: string;
  /** Puts hot reload in front of the listener, where pages come from source. */
  around(listener: RequestListener): RequestListener;
}

/** The role web: pages, deal links, networks' pushes. */
async function openWeb({
  config,
  logger,
  closing,
  db,
  server,
  metrics,
  networks,
  cards,
  loadSite,
}: SharedParts & Required<Pick<StartParts, "loadSite">>): Promise<OpenedWeb> {
  const now = () => new Date();
  const outages: Outages = new WeakMap();
  const accounts = openAccounts({
    db,
    key: deriveKey(config.secret, "session-cookie"),
    secretKeys: [memberSecretsKey(config.secret), ...config.oldSecrets.map(memberSecretsKey)],
    publicScheme: config.publicScheme,
    onLogIn: (outcome) => metrics.logIn(outcome),
  });
  const widgetRelease = readWidgetRelease(widgetFolder);
  const views = createViewRecorder({
    db,
    onError: (error) => logger.error({ err: error }, "what members viewed was not kept"),
  });
  closing.push({ name: "view recorder", close: () => views.close() });
  const services: SiteServices = {
    db,
    // Whoever works on the pages sees what they change at once.
    ...(config.devPages ? {} : { catalogue: cachedReads(db) }),
    accounts,
    revealSecret: deriveKey(config.secret, "reveal-token"),
    registrationSecret: deriveKey(config.secret, "registration-count"),
    unsubscribeKeys: keysFor(config, "unsubscribe"),
    payeeKeys: keysFor(config, "payee"),
    digitalIdKey: deriveKey(config.secret, "digital-id"),
    attachments: {
      key: deriveKey(config.secret, "attachment"),
      oldKeys: config.oldSecrets.map((secret) => deriveKey(secret, "attachment")),
      receive: (await openUploads({ dataDir: config.dataDir, logger })).receive,
    },
    widgetRelease,
    views,
    now,
    reportError(error, visit) {
      // Answered, and logged, as the app answers it everywhere.
      if (error instanceof DatabaseUnavailableError) return void outages.set(visit, error);
      // The router reports a post to a page without an action, and the like, as an error of its own: that is the client's.
      const level = isClientsFault(error) ? "debug" : "error";
      logger[level]({ requestId: visit.requestId, brand: visit.brand.slug, err: error }, "page failed");
    },
  };
  const devPages = config.devPages ? await openDevPages({ server, services }) : null;
  if (devPages) closing.push({ name: "hot reload", close: devPages.close, holdsConnections: true });
  const brands = brandLookup({
    findByHost: (host) => findBrandByHost(db, host),
    findDefault: config.environment === "dev" ? () => findDefaultBrand(db) : undefined,
  });
  const site = devPages?.site ?? (await loadSite())(services);
  const pages = sitePages({
    site: withOutages(site, outages),
    strangerAt: async (origin) => {
      const brand = await brands(hostnameOf(origin));
      return brand && strangersVisit(brand, origin);
    },
    publicScheme: config.publicScheme,
    sessionCookie: accounts.cookie,
    headers: securityHeaders(config.publicScheme),
    devPages: config.devPages,
    onCache: (outcome) => metrics.pageCache(outcome),
    onRefused: (reason) => metrics.pageRefused(reason),
    onError: (error) => logger.error({ err: error }, "a page could not be rendered again"),
  });
  metrics.watchCachedBytes(() => pages.cache.bytes);
  const tokenKey = deriveKey(config.secret, "partner-token");
  const frames = widgetSessions({ db, publicScheme: config.publicScheme, now });
  const clicks = createClickRecorder({ db });
  closing.push({ name: "click recorder", close: () => clicks.close() });
  const parts: WebParts = {
    brands,
    accounts,
    pages,
    files: staticFiles(clientFolder),
    identityRoutes: identityRoutes().route("/", serviceWorkerRoutes({ ...config, clientFolder })),
    goRoutes: goRoutes({ db, clicks: measured(clicks, metrics), networks: networks.networks, now }),
    sitemapRoutes: sitemapRoutes({ db, isPublic: config.environment !== "staging", now }),
    artRoutes: artRoutes({
      findName: (kind, slug) => findArtName(db, kind, slug),
      draw: (kind, subject) => (kind === "retailers" ? retailerMark(subject) : categoryArt(subject)),
    }),
    apiRoutes: [
      partnerApi({ db, brands, config, tokenKey, now }),
      paymentsApi({ db, cards, sessions: frames, config, logger, now }),
      jobCategoriesApi({ db, brands, config }),
      jobRolesApi({ db, brands, config }),
      additionalFieldsApi({ db, brands, config, site }),
      suggestionsApi({ db, brands, config, now }),
    ],
    widgetRoutes: widgetFiles(widgetFolder, widgetRelease),
    widgetSessions: frames,
    redirectRoutes: redirectRoutes({ db, tokenKey, sessions: frames, renderInFrame: pages.answerInFrame, now }),
    webhookRoutes: new Hono()
      .route("/", stripeWebhooks({ db, cards, logger, now }))
      .route("/", networkWebhooks({ db, ...networks, now })),
  };
  return {
    parts,
    sessionCookieName: accounts.cookie.name,
    around: (listener) => devPages?.around(listener) ?? listener,
  };
}

/** What a page met where the database did not answer, by the visit it was rendered for. */
type Outages = WeakMap<Visit, DatabaseUnavailableError>;

/** The router makes a page of every error. One of these has no page: it is thrown on, for the app to answer. */
function withOutages(site: SiteHandler, outages: Outages): SiteHandler {
  return async (request, visit) => {
    const answer = await site(request, visit);
    const outage = outages.get(visit);
    if (outage) throw outage;
    return answer;
  };
}

/** The key for a purpose, and those of the secrets before: what was signed or encrypted with them is still read. */
function keysFor(
  { secret, oldSecrets }: Pick<Config, "secret" | "oldSecrets">,
  purpose: "unsubscribe" | "payee",
): [string, ...string[]] {
  return [deriveKey(secret, purpose), ...oldSecrets.map((old) => deriveKey(old, purpose))];
}

const memberSecretsKey = (secret: string) => deriveKey(secret, "member-secrets");

function measured(clicks: ClickRecorder, metrics: Metrics): ClickRecorder {
  return {
    async record(click) {
      const started = performance.now();
      const recorded = await clicks.record(click);
      metrics.click(performance.now() - started);
      return recorded;
    },
    close: () => clicks.close(),
  };
}

function isClientsFault(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === "number" && status >= 400 && status < 500;
}

/** The role worker: confirming pushes, reading reports, telling partners, settling payments, sweeping up. */
function openWorker({ config, logger, closing, db, networks, cards }: SharedParts, pool: OpenedDatabase["pool"]): void {
  const jobs = startNetworkJobs({ db, pool, ...networks, logger });
  closing.push({ name: "network jobs", close: () => jobs.close() });
  const webhookKey = deriveKey(config.secret, "partner-webhook");
  const webhooks = startWebhookJobs({ db, webhookKey, allowPrivate: config.environment === "dev", logger });
  closing.push({ name: "partners' webhooks", close: () => webhooks.close() });
  const isDevelopment = config.environment === "dev";
  const sender = createSmtpSender({ url: config.mail.smtpUrl, from: config.mail.from, needsTls: !isDevelopment });
  // A development machine is reached at its port; elsewhere a brand's name is the whole address.
  const originOf = (host: string) => `${config.publicScheme}://${host}${isDevelopment ? `:${config.port}` : ""}`;
  const mails = startMailJobs({ db, pool, sender, originOf, logger });
  closing.push({ name: "mails", close: () => mails.close() });
  if (cards) {
    const payments = startPaymentJobs({ db, cards, logger });
    closing.push({ name: "payment jobs", close: () => payments.close() });
  }
  const memberships = startMembershipJobs({ db, logger });
  closing.push({ name: "membership jobs", close: () => memberships.close() });
  const cashback = startCashbackJobs({ db, unsubscribeKeys: keysFor(config, "unsubscribe"), logger });
  closing.push({ name: "cashback mails", close: () => cashback.close() });
  const closures = startClosureJobs({ db, logger });
  closing.push({ name: "closures", close: () => closures.close() });
  const retailers = startRetailerJobs({ db, logger });
  closing.push({ name: "retailer jobs", close: () => retailers.close() });
  closing.push({ name: "clock watch", close: startClockWatch({ db, logger }).close });
  closing.push({ name: "sweeping", close: startSweeping(db, logger) });
}

/** The site's server build, in which the router's context and singletons live once. */
async function loadCreateSite(): Promise<CreateSite> {
  const entry = new URL("server/create-site.js", siteBuild);
  if (!existsSync(entry))
    throw new StartError("The site has not been built. Run npm run build, or npm start, which builds when needed.");
  const { createSite } = (await import(entry.href)) as { createSite: CreateSite };
  return createSite;
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      const known: Record<string, string> = {
        EADDRINUSE: `Port ${port} is taken by another program. End it, or set PORT to a free port.`,
        EACCES: `This account may not listen on port ${port}. Set PORT to one above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, or to 0.0.0.0 for all.`,
      };
      const text = known[error.code ?? ""];
      reject(text === undefined ? error : new StartError(text));
    };
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });
}
