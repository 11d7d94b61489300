import { existsSync } from "node:fs";
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import type { CreateSite, Site, SiteServices } from "@farthing/site/server/site-handler.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { openDevPages } from "../development/dev-pages.ts";
import type { Logger } from "../monitoring/logger.ts";
import { StartError } from "../process/start-error.ts";
import type { ServerParts } from "../server-parts.ts";
import type { SiteHandler } from "./site-handler.ts";

const siteBuild = new URL("../../site/build/", import.meta.url);

/** The build's files for browsers. */
export const clientFolder = fileURLToPath(new URL("client", siteBuild));

export interface OpenedSite {
  site: Site;
  /** Puts hot reload in front of the listener if pages come from source. */
  around(listener: RequestListener): RequestListener;
}

/** Opens the site with its services: its build, or its sources with hot reload (FARTHING_DEV_PAGES). */
export async function openSite(
  { config, server, logger, closing }: Pick<ServerParts, "config" | "server" | "logger" | "closing">,
  services: Omit<SiteServices, "reportError">,
  loadSite: () => Promise<CreateSite>,
): Promise<OpenedSite> {
  const { reportError, withOutages } = errorReports(logger);
  const reporting = { ...services, reportError };
  if (!config.devPages) return { site: withOutages((await loadSite())(reporting)), around: (listener) => listener };
  const devPages = await openDevPages({ server, services: reporting });
  closing.push({ name: "hot reload", close: devPages.close, holdsConnections: true });
  return { site: withOutages(devPages.site), around: devPages.around };
}

/**
 * Loads the site's server build, in which the router's context and singletons live once.
 * @throws StartError if the site has not been built.
 */
export async function loadSiteBuild(): Promise<CreateSite> {
  const entry = new URL("server/create-site.js", siteBuild);
  if (!existsSync(entry))
    throw new StartError("The site has not been built. Run npm run build, or npm start, which builds when needed.");
  const { createSite } = (await import(entry.href)) as { createSite: CreateSite };
  return createSite;
}

/**
 * The router renders a page for every error. An unavailable database has no page: its error is rethrown for the app to
 * answer (answer-failures.ts).
 */
function errorReports(logger: Logger) {
  const outages = new WeakMap<Visit, DatabaseUnavailableError>();
  return {
    reportError(error: unknown, visit: Visit): void {
      if (error instanceof DatabaseUnavailableError) return void outages.set(visit, error);
      // A post to a page without an action and the like are errors of the router too, but the client's fault.
      const level = isClientError(error) ? "debug" : "error";
      logger[level]({ requestId: visit.requestId, brand: visit.brand.slug, err: error }, "page failed");
    },
    withOutages(site: Site): Site {
      const answering: SiteHandler = async (request, visit) => {
        const answer = await site(request, visit);
        const outage = outages.get(visit);
        if (outage) throw outage;
        return answer;
      };
      return Object.assign(answering, { additionalFieldsMarkup: site.additionalFieldsMarkup });
    },
  };
}

function isClientError(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === "number" && status >= 400 && status < 500;
}
