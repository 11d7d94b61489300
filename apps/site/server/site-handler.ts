import type { Brand } from "@farthing/core/brands/brand.ts";
import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import type { ViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { AccountServices } from "./account-services.ts";
import type { AttachmentServices } from "./attachment-services.ts";
import type { CatalogueReads } from "./catalogue-reads.ts";

/** Who is signed in on this request, from the session of this brand. */
export interface SignedInMember {
  id: string;
  sessionId: string;
  name: string;
  email: string;
  verification: "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
  /** When they last proved in this session who they are; unknown counts as long ago. */
  authenticatedAt?: Date;
}

/** What the server has found out about a request before a page is chosen. */
export interface Visit {
  requestId: string;
  brand: Brand;
  member: SignedInMember | null;
  /** Marks the scripts of this page; the server turns the marks into hashes of the content security policy. */
  nonce: string;
  /** Scheme, host and port the visitor used. What names the page to others starts with canonicalOrigin (core/brands) instead. */
  origin: string;
  /** The visitor's network address, as far as it can be trusted; limits on tries count by it. */
  clientAddress?: string;
  /** On pages inside a partner's frame (/pay, /frame/…): whose visitor this is. The member is null there, whoever is logged in. */
  widget?: WidgetVisit | null;
  /** Set where the server has refused the request before a page was chosen: the page says so, in the brand's look (product.md Z5). */
  refusal?: Refusal;
}

/** Why a request was not taken, in words for a person. */
export interface Refusal {
  status: number;
  title: string;
  /** What happened, and what to do. */
  text: string;
}

/** A visitor of a partner, in the partner's frame (product.md W9). */
export interface WidgetVisit {
  sessionId: string;
  partner: { name: string; publicId: string };
  /** The page around the frame: the one origin that messages go to and come from. */
  origin: string;
  /**
   * What the page's own requests carry as "Authorization: Bearer …", so that it works where the browser keeps no cookies for frames. Given to
   * the one page that /redirect answers with, which keeps it in memory; null on later pages, which came by cookie.
   */
  bearer: string | null;
}

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
