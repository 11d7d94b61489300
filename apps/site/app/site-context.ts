import { createContext } from "react-router";
import type { Privacy } from "../pages.ts";
import type { CatalogueReads } from "../server/catalogue-reads.ts";
import type { SiteServices } from "../server/site-handler.ts";
import type { SignedInMember, Visit } from "../server/visit.ts";

/** Everything that lives as long as the process. create-site.ts sets it; loaders and actions read it. */
export const servicesContext = createContext<SiteServices>();

/** How loaders read the catalogue. */
export const catalogueContext = createContext<CatalogueReads>();

/** The brand and the visitor of this request. */
export const visitContext = createContext<Visit>();

/** The member who is signed in. Set on members' pages only (members-only.ts): reading it on any other page throws. */
export const memberContext = createContext<SignedInMember>();

/**
 * How the answer may be kept: as pages.ts says, unless a loader or an action finds that it has to be
 * stricter (answer-headers.server.ts).
 */
export const privacyContext = createContext<Privacy>();

/**
 * Headers that a loader or an action adds to the answer, whether it succeeds, fails or
 * redirects (answer-headers.server.ts).
 */
export const answerHeadersContext = createContext<Headers>();
