import { createContext } from "react-router";
import type { CatalogueReads } from "../server/catalogue-reads.ts";
import type { SiteServices, Visit } from "../server/site-handler.ts";

/** What lives as long as the process. Set by create-site.ts, read by loaders and actions. */
export const servicesContext = createContext<SiteServices>();

/** How loaders read the catalogue. */
export const catalogueContext = createContext<CatalogueReads>();

/** Who is asking for which brand, on this request. */
export const visitContext = createContext<Visit>();
