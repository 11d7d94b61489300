import type { AdditionalField } from "@farthing/core/member-types/additional-fields.ts";
import type { ViewRecorder } from "@farthing/core/favourites/view-recorder.server.ts";
import type { CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import type { CardProvider } from "@farthing/core/payments/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import type { AccountServices } from "./account-services.ts";
import type { AttachmentServices } from "./attachment-services.ts";
import type { CatalogueReads } from "./catalogue-reads.ts";
import type { Visit } from "./visit.ts";

/** What orders, payments and codes of gift cards need. */
export interface GiftCardServices {
  /** By slug. */
  issuers: ReadonlyMap<string, CardIssuer>;
  /** Real cards only: a test key orders none. Null: payments are not set up. */
  cards: CardProvider | null;
  /** Encrypt cards and mark buyers: the current key first, then earlier ones. */
  keys: readonly [string, ...string[]];
  /** The cookie of the browser that opened a present, by the present's public id. */
  presentCookie(publicId: string): {
    openerIn(cookieHeader: string | null): string | null;
    set(opener: string): string;
  };
}

/** What pages tell the telemetry client and the loader of the tag manager (T2, T4). */
export interface TelemetryServices {
  /** Scheme and host of the collector; null: each brand's own host. */
  url: string | null;
  /** Address of the tag manager's script, without the container. */
  tagManagerUrl: string;
  /** Returns the pseudonym of a member's telemetry. */
  userIdOf(member: { brandId: string; memberId: string }): string;
}

/** Everything that lives as long as the process. The server's main.ts opens it and passes it in. */
export interface SiteServices {
  db: Db;
  /** How pages read the catalogue. Without it each read goes to the database. */
  catalogue?: CatalogueReads;
  accounts: AccountServices;
  /** How files are received and stored. Tests of other pages leave it out. */
  attachments?: AttachmentServices;
  /** Key of the reveal tokens' HMAC (Y5). */
  revealSecret: string;
  /** Checks operators' links to offers that are not published yet. */
  previewKey: string;
  /** Keys the hashes that count registrations, and mails that members have sent to their own addresses (S1). */
  registrationSecret: string;
  /** Derives the secrets with which devices sign the codes of digital IDs (M6). */
  digitalIdKey: string;
  /** Keys that sign the unsubscribe links of mails: the current key first, then earlier ones. */
  unsubscribeKeys: readonly [string, ...string[]];
  /** Keys that encrypt the bank details of members who leave: the current key first, then earlier ones. */
  payeeKeys: readonly [string, ...string[]];
  /** Keys that encrypt members' bank details: the current key first, then earlier ones. */
  bankKeys: readonly [string, ...string[]];
  giftCards: GiftCardServices;
  /** The widget's script as partners load it, for the snippets on /partners; null where it has not been built. */
  widgetRelease?: { version: string; scriptPath: string; integrity: string } | null;
  /** Without it pages have no page variables, so nothing is measured. */
  telemetry?: TelemetryServices;
  /** Address of a shop that shows the widget with test cards, for /partners; null where there is none. */
  partnerDemoUrl?: string | null;
  /** Returns all pseudonyms that a member's telemetry may be stored under, for the archive of their data. */
  telemetryUsersOf?(member: { brandId: string; memberId: string }): string[];
  /** Records what members view. Without it nothing is recorded. */
  views?: Pick<ViewRecorder, "record">;
  now(): Date;
  /** Receives unexpected errors of pages, for the server's log. Without it they are written to the console. */
  reportError?(error: unknown, visit: Visit): void;
}

/** The one export of the site's server build: It takes services and returns a Request handler. */
export type CreateSite = (services: SiteServices) => Site;

/** Answers a request with a page. */
export interface Site {
  (request: Request, visit: Visit): Promise<Response>;
  /** Returns the HTML of a member type's additional fields, for /api/additional-fields (Y6). The site's own field components render it. */
  additionalFieldsMarkup(fields: readonly AdditionalField[]): Promise<string>;
}
