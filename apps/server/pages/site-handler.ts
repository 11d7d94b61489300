import type { Visit } from "@farthing/site/server/visit.ts";

/** Answers a request with a page of the site, for whoever visits. */
export type SiteHandler = (request: Request, visit: Visit) => Promise<Response>;
