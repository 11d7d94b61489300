import { createContext } from "react-router";
import type { SiteServices, Visit } from "../server/site-handler.ts";

/** What lives as long as the process. Set by create-site.ts, read by loaders and actions. */
export const servicesContext = createContext<SiteServices>();

/** Who is asking for which brand, on this request. */
export const visitContext = createContext<Visit>();
