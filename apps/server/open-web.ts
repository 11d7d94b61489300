import { findBrandByHost, findDefaultBrand } from "@farthing/core/brands/queries.server.ts";
import { findMoneySentence } from "@farthing/core/cashback/money-sentence.server.ts";
import { findFavouriteKeys } from "@farthing/core/favourites/queries.server.ts";
import { offeredMigration } from "@farthing/site/server/offered-migration.ts";
import type { CreateSite } from "@farthing/site/server/site-handler.ts";
import type { CreateAdmin } from "@farthing/admin/server/admin-handler.ts";
import { Hono } from "hono";
import { actingRoutes } from "./account-access/acting-routes.ts";
import { openActing } from "./account-access/open-acting.ts";
import { openAdmin } from "./admin/open-admin.ts";
import type { WebParts } from "./app-parts.ts";
import { openArt } from "./art/open-art.ts";
import { keepHousePartner } from "@farthing/core/partners/house-partner.server.ts";
import { brandLookup } from "./brands/brand-lookup.ts";
import { brandOrigins } from "./brands/brand-origins.ts";
import { identityRoutes } from "./brands/identity-routes.ts";
import { goRoutes } from "./clicks/go-routes.ts";
import { openClicks } from "./clicks/open-clicks.ts";
import { staticFiles } from "./http/fast/static-files.ts";
import { contained } from "./http/listener.ts";
import { hostnameOf } from "./http/request-origin.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { additionalFieldsApi } from "./member-types/additional-fields.ts";
import { jobCategoriesApi } from "./member-types/job-categories.ts";
import { jobRolesApi } from "./member-types/job-roles.ts";
import { logSignIns } from "./monitoring/log-sign-ins.ts";
import { networkWebhooks } from "./networks/network-webhooks.ts";
import { clientFolder, openSite, type OpenedSite } from "./pages/open-site.ts";
import { sitePages, strangersVisit } from "./pages/site-pages.ts";
import { watchSiteContent } from "./pages/watch-site-content.ts";
import { openThresholdWatch } from "./thresholds/threshold-watch.ts";
import { trackingSources } from "./pages/tracking-sources.ts";
import { openSiteServices } from "./pages/site-services.ts";
import { partnerApi } from "./partners/partner-api.ts";
import { portalTokens } from "./partners/portal-tokens.ts";
import { redirectRoutes } from "./partners/redirect-routes.ts";
import { widgetSessions } from "./partners/widget-sessions.ts";
import { cardFormSources } from "./payments/card-form-sources.ts";
import { paymentsApi } from "./payments/payment-routes.ts";
import { stripeWebhooks } from "./payments/stripe-webhooks.ts";
import { openWords } from "./search/open-words.ts";
import { suggestionsApi } from "./search/suggestions.ts";
import { deriveKey } from "./secrets/derive-key.ts";
import { keysOf } from "./secrets/keys-of.ts";
import type { ServerParts } from "./server-parts.ts";
import { serviceWorkerRoutes } from "./service-worker/service-worker-routes.ts";
import { openAccounts } from "./sign-in/accounts.ts";
import { sitemapRoutes } from "./sitemap/sitemap-routes.ts";
import { servedEnvironment } from "./widget/with-environments.ts";
import { readWidgetRelease, widgetFiles, widgetFolder } from "./widget/widget-files.ts";
import { readPinnedVersions, releasesFolder, versionToPin, widgetVersions } from "./widget/widget-versions.ts";

export interface OpenedWeb extends Pick<OpenedSite, "around"> {
  parts: WebParts;
  sessionCookieName: string;
}

/** The web role: opens pages, deal links, APIs and webhooks. */
export async function openWeb(
  server: ServerParts,
  { loadSite, loadAdmin }: { loadSite: () => Promise<CreateSite>; loadAdmin: (() => Promise<CreateAdmin>) | null },
): Promise<OpenedWeb> {
  const { config, db, logger, metrics, networks, cards, now } = server;
  const { publicScheme } = config;
  const tokenKey = deriveKey(config.secret, "partner-token");
  const logSignIn = logSignIns(logger);

  const brands = brandLookup({
    findByHost: (host) => findBrandByHost(db, host),
    findDefault: config.environment === "dev" ? () => findDefaultBrand(db) : undefined,
  });
  const accounts = openAccounts({
    db,
    key: deriveKey(config.secret, "session-cookie"),
    secretKeys: keysOf(config, "member-secrets"),
    publicScheme,
    onLogIn({ outcome, factor, isAgain, visit, memberId }) {
      if (!isAgain) metrics.logIn(outcome);
      logSignIn({
        ...{ requestId: visit.requestId, factor, outcome, ...(isAgain ? { again: true } : {}) },
        ...{ brand: visit.brand.slug, member: memberId ?? undefined },
      });
    },
  });
  const acting = openActing({ db, publicScheme, key: deriveKey(config.secret, "acting-cookie"), now });
  const originOf = brandOrigins(config);
  await keepHousePartner(db, { originOf });
  const sessions = widgetSessions({ db, publicScheme, now });
  const builtWidget = readWidgetRelease(widgetFolder);
  const widgetReleases = readPinnedVersions(releasesFolder);
  const widgetRelease = versionToPin(widgetReleases);
  const words = openWords(server);
  const services = { db, accounts, widgetRelease, now, ...(await openSiteServices(server, { words: words.read })) };
  const { site, around } = await openSite(server, services, loadSite);
  const pages = sitePages({
    site,
    strangerAt: async (origin) => {
      const brand = await brands(hostnameOf(origin));
      return brand && strangersVisit(brand, origin);
    },
    publicScheme,
    sessionCookie: accounts.cookie,
    headers: securityHeaders(config),
    cardForm: cardFormSources(config),
    trackingOf: trackingSources(config),
    telemetryUserOf: services.telemetry.userIdOf,
    connectsTo: [...new Set(networks.networks.all.flatMap(({ linkOrigins }) => linkOrigins))],
    devPages: config.devPages,
    favouritesOf: (memberId) => findFavouriteKeys(db, { memberId }),
    moneyOf: (memberId) => findMoneySentence(db, { memberId }),
    asksMember: async (visit, path) => (await offeredMigration({ db, now }, visit, path)) !== null,
    onCache: (outcome) => metrics.pageCache(outcome),
    onRefused: (reason) => metrics.pageRefused(reason),
    onError: (error) => logger.error({ err: error }, "a page could not be rendered again"),
  });
  metrics.watchCachedBytes(() => pages.cache.bytes + pages.membersCache.bytes);

  const thresholds = openThresholdWatch(server);
  watchSiteContent({
    ...server,
    pool: server.sessionPool,
    forget() {
      thresholds.look();
      words.look();
      brands.forget?.();
      // What pages are made of comes before pages.
      services.catalogue?.clear();
      pages.cache.clear();
      pages.membersCache.clear();
    },
  });

  const admin = loadAdmin && (await openAdmin(server, { brands, preview: pages.preview, load: loadAdmin }));

  const parts: WebParts = {
    brands,
    accounts,
    acting,
    actingRoutes: actingRoutes({ db, acting, now }),
    pages,
    files: staticFiles(clientFolder),
    identityRoutes: identityRoutes().route("/", serviceWorkerRoutes({ ...config, clientFolder })),
    goRoutes: goRoutes({ db, clicks: openClicks(server), networks: networks.networks, now }),
    sitemapRoutes: sitemapRoutes({ readStale: server.readStale, isPublic: config.environment !== "staging", now }),
    adminRoutes: admin?.routes ?? new Hono(),
    artRoutes: openArt(db),
    apiRoutes: [
      partnerApi({
        db,
        brands,
        config,
        tokenKey,
        webhookKey: deriveKey(config.secret, "partner-webhook"),
        cards,
        logger,
        now,
      }),
      portalTokens({ db, brands, accounts, config, tokenKey, originOf, now }),
      paymentsApi({ db, cards, sessions, config, logger, now }),
      jobCategoriesApi({ db, brands, config }),
      jobRolesApi({ db, brands, config }),
      additionalFieldsApi({ db, brands, config, site }),
      suggestionsApi({ db, brands, config, words: words.read, now }),
    ],
    widgetRoutes: widgetVersions(widgetReleases, builtWidget).route(
      "/",
      widgetFiles(widgetFolder, builtWidget, servedEnvironment(config)),
    ),
    widgetSessions: sessions,
    redirectRoutes: redirectRoutes({
      db,
      tokenKey,
      sessions,
      renderInFrame: pages.answerInFrame,
      cards: cards.live,
      logger,
      now,
    }),
    webhookRoutes: new Hono()
      .route("/", stripeWebhooks({ db, cards, logger, now }))
      .route("/", networkWebhooks({ db, ...networks, now })),
  };
  return {
    parts,
    sessionCookieName: accounts.cookie.name,
    around: (listener) => {
      const withSite = around(listener);
      return contained(admin?.around(withSite) ?? withSite, logger);
    },
  };
}
