import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import type { ViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { AccountServices } from "./account-services.ts";
import type { AttachmentServices } from "./attachment-services.ts";
import type { CatalogueReads } from "./catalogue-reads.ts";
import type { Visit } from "./visit.ts";

/** What lives as long as the process; opened in the server's main.ts and passed in. */
export interface SiteServices {
  db: Db;
  /** How pages read the catalogue; without it each read goes to the database. */
  catalogue?: CatalogueReads;
  accounts: AccountServices;
  /** How files are taken and kept; tests of other pages leave it out. */
  attachments?: AttachmentServices;
  /** Key of the reveal tokens' HMAC (product.md Y5). */
  revealSecret: string;
  /** Keys the hashes by which registrations are counted, and mails that members have sent to addresses of theirs (S1). */
  registrationSecret: string;
  /** Derives what devices sign the codes of digital IDs with (product.md M6). */
  digitalIdKey: string;
  /** Sign the links that end mails: the present key, and any before it. */
  unsubscribeKeys: readonly [string, ...string[]];
  /** Encrypt the bank details of members who leave: the present key, and any before it. */
  payeeKeys: readonly [string, ...string[]];
  /** The widget's script as partners load it, for the snippets on /partners; null where it has not been built. */
  widgetRelease?: { version: string; scriptPath: string; integrity: string } | null;
  /** Keeps what members look at; without it nothing is kept. */
  views?: Pick<ViewRecorder, "record">;
  now(): Date;
  /** Where unexpected errors of pages go: the server's log. Without it they are written to the console. */
  reportError?(error: unknown, visit: Visit): void;
}

/** The one export of the site's server build: services in, a Request handler out. */
export type CreateSite = (services: SiteServices) => Site;

/** Answers a request with a page. */
export interface Site {
  (request: Request, visit: Visit): Promise<Response>;
  /** Returns the HTML of a member type's additional fields, for /api/additional-fields (Y6). The site's own field components render it. */
  additionalFieldsMarkup(fields: readonly AdditionalField[]): Promise<string>;
}
