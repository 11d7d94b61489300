import { Hono, type Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import type { AppParts, WebParts } from "./app-parts.ts";
import { guardActing } from "./account-access/guard-acting.ts";
import { addSecurityHeaders } from "./http/add-security-headers.ts";
import { allowMethods } from "./http/allow-methods.ts";
import { answerFailures } from "./http/answer-failures.ts";
import { identifyRequests } from "./http/identify-requests.ts";
import { limitBodies } from "./http/limit-bodies.ts";
import { logRequests } from "./http/log-requests.ts";
import { openVisits } from "./http/open-visits.ts";
import { problems } from "./http/problems.ts";
import { readInput } from "./http/read-input.ts";
import { refuseInBrandLook, refusePlainly, type Refuse } from "./http/refuse.ts";
import { serveFiles } from "./http/serve-files.ts";
import { guessedAddresses } from "./pages/guessed-addresses.ts";
import { healthRoutes } from "./monitoring/health-routes.ts";
import { telemetryRoutes } from "./telemetry/telemetry-routes.ts";

/** Returns the app, which turns a Request into a Response. Middleware runs in the order in which it is listed here. */
export function createApp(parts: AppParts): Hono<AppEnv> {
  const { config, web } = parts;
  const refuse = refuseInBrandLook(web, config);
  const app = new Hono<AppEnv>();
  app.onError(answerFailures(parts, refuse));
  app.notFound((context) => refusePlainly(context, problems.notFound));

  app.use(identifyRequests(config));
  app.use(logRequests(parts));
  app.use(addSecurityHeaders(config));
  // Before the limits of everything else: it has its own, and answers preflights.
  if (parts.collector) app.route("/", telemetryRoutes(parts.collector));
  app.use(allowMethods(refuse));
  app.use(limitBodies(refuse));
  app.use(readInput(refuse));
  app.route("/", healthRoutes({ ...parts, ...config }));
  if (web) mountWeb(app, web, config, refuse);
  return app;
}

function mountWeb(app: Hono<AppEnv>, web: WebParts, config: AppParts["config"], refuse: Refuse): void {
  const notFound = (context: Context<AppEnv>) => refusePlainly(context, problems.notFound);
  app.use(serveFiles(web.files));
  app.route("/", web.webhookRoutes);
  app.all("/webhooks/*", notFound);
  for (const routes of web.apiRoutes) app.route("/", routes);
  app.all("/api/*", notFound);
  app.all("/assets/*", notFound);
  app.route("/", web.artRoutes);
  app.all("/art/*", notFound);
  app.route("/", web.widgetRoutes);
  app.all("/widget/*", notFound);

  app.route("/", web.adminRoutes);

  app.route("/", guessedAddresses());

  // From here on a request belongs to a brand, and whatever no route takes is a page.
  app.use(openVisits(web, config, refuse));
  app.use(guardActing(web));
  app.route("/", web.actingRoutes);
  app.route("/", web.redirectRoutes);
  app.route("/", web.goRoutes);
  app.route("/", web.identityRoutes);
  app.route("/", web.sitemapRoutes);
  app.all("*", (context) => web.pages.answer(context.req.raw, context.get("visit")));
  app.notFound((context) =>
    context.get("visit") ? web.pages.answer(context.req.raw, context.get("visit")) : notFound(context),
  );
}
