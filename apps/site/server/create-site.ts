import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import * as build from "virtual:react-router/server-build";
import { withPage } from "../app/rendered-pages.ts";
import { additionalFieldsMarkup } from "../app/ui/forms/additional-fields-markup.server.tsx";
import { catalogueContext, servicesContext, visitContext } from "../app/site-context.ts";
import { directReads } from "./catalogue-reads.ts";
import type { CreateSite } from "./site-handler.ts";
import type { Visit } from "./visit.ts";

/** The site's routes, by id. Tests send requests to every one. */
export const { routes } = build as ServerBuild;

/**
 * What the server uses of the site's build. Takes what lives as long as the process and returns a handler that turns a
 * request and its visit into a page. Services and visit reach loaders through React Router's context.
 */
export const createSite: CreateSite = (services) => {
  const handle = createRequestHandler(build as ServerBuild, import.meta.env.MODE);
  const catalogue = services.catalogue ?? directReads(services.db);
  const site = async (request: Request, visit: Visit) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, services);
    context.set(catalogueContext, catalogue);
    context.set(visitContext, visit);
    return withPage(await handle(withTrueOrigin(request), context));
  };
  return Object.assign(site, {
    additionalFieldsMarkup: async (fields: readonly AdditionalField[]) => additionalFieldsMarkup({ fields }),
  });
};

/**
 * Returns the request without `Origin: null` where it comes from our own page. After a page with `Referrer-Policy:
 * no-referrer` (a revealed code, Y5) browsers post with `Origin: null` to the same site too, and React Router would
 * take that for a foreign post. Sec-Fetch-Site is reliable here, because no page can forge it.
 */
function withTrueOrigin(request: Request): Request {
  // Only a post is refused for its origin. A read stays the server's own object, which `new Request` cannot copy.
  if (request.method !== "POST" || request.headers.get("origin") !== "null") return request;
  if (request.headers.get("sec-fetch-site") !== "same-origin") return request;
  const headers = new Headers(request.headers);
  headers.delete("origin");
  return new Request(request, { headers });
}
