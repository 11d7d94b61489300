import type { Brand } from "@farthing/core/brands/brand.ts";
import type { FeedAdapter } from "@farthing/core/catalogue-imports/provider.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import type { UnsubscribeKeys } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import type { SessionOperator } from "@farthing/core/operators/sessions.server.ts";
import type { CheckedBooks } from "@farthing/core/books/check-books.server.ts";
import type { GoodwillLimits } from "@farthing/core/goodwill/rules.ts";
import type { RefundedPayment, RefundRequest } from "@farthing/core/payments/refund-payment.server.ts";
import type { BacsOriginator } from "@farthing/core/payouts/bacs-files.ts";
import type { SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import type { Db } from "@farthing/db/client.ts";
import type { StaleReads } from "@farthing/db/stale-reads.ts";

/** What the server knows of a request before a page is chosen. */
export interface AdminVisit {
  requestId: string;
  /** From the session; null for a stranger. Not signed in before `step` is "open". */
  operator: SessionOperator | null;
  /** Scheme, host and port that the operator used. */
  origin: string;
  clientAddress: string;
}

export interface SlowDown {
  outcome: "slow-down";
  retryAfterSeconds: number;
}

/** How operators sign in. The server implements it (apps/server/admin/operator-accounts.ts). */
export interface OperatorAccounts {
  /** Checks the password. The headers carry a session for the second step. */
  signIn(
    visit: AdminVisit,
    request: Request,
    typed: { email: string; password: string },
  ): Promise<{ outcome: "step"; step: "code" | "set-up"; headers: Headers } | { outcome: "refused" } | SlowDown>;
  /** Finishes a sign-in with a code. */
  finish(
    visit: AdminVisit,
    request: Request,
    code: string,
  ): Promise<{ outcome: "open"; headers: Headers } | { outcome: "refused" } | SlowDown>;
  /** Mails a code for this sign-in. Null outside development: codes come from an app there. */
  mailCode: ((visit: AdminVisit) => Promise<void>) | null;
  /** Returns what to scan at the first sign-in; null if the second factor is set up. */
  prepareSetUp(visit: AdminVisit): Promise<{ secret: string; uri: string } | null>;
  setUp(
    visit: AdminVisit,
    request: Request,
    code: string,
  ): Promise<{ outcome: "open"; headers: Headers; recoveryCodes: string[] } | { outcome: "refused" } | SlowDown>;
  /** Sets the password of whoever has the link. `fault`: what is wrong with it, in words. */
  choosePassword(
    visit: AdminVisit,
    chosen: { token: string; password: string },
  ): Promise<{ outcome: "chosen" } | { outcome: "bad-link" } | { outcome: "fault"; fault: string } | SlowDown>;
  signOut(visit: AdminVisit): Promise<Headers>;
}

/** Everything that lives as long as the process. The server opens it and passes it in. */
export interface AdminServices {
  db: Db;
  /** Reads what may be some seconds old: never what this operator may just have changed. */
  readStale: StaleReads;
  accounts: OperatorAccounts;
  /** Decrypt members' files: the current key, then earlier ones. */
  attachments: { key: string; oldKeys: readonly string[] };
  /** Encrypt the accounts of members who leave: the current key, then earlier ones. */
  payeeKeys: readonly [string, ...string[]];
  /** The issuers of gift cards that are set up, by slug. */
  issuers: ReadonlyMap<string, CardIssuer>;
  /** Sign the links in members' mails with which they unsubscribe; the current key first. */
  unsubscribeKeys: UnsubscribeKeys;
  /** The key that partners' webhook secrets are derived from, and whether their receivers may be on this machine. */
  webhooks: { key: string; allowLocal: boolean };
  /** How members are paid (C6); `originator` is null where there is no account to pay from. */
  payouts: { originator: BacsOriginator | null; bankKeys: SecretKeys };
  /**
   * What asks the card provider. The server runs it, because its adapters throw errors of the server's own modules, which
   * core knows by their class.
   */
  cards: {
    refund(db: Db, request: RefundRequest): Promise<RefundedPayment | { outcome: "unavailable" | "no-account" }>;
    checkBooks(db: Db): Promise<CheckedBooks>;
  };
  /** What operators may credit to members (C7). */
  goodwill: GoodwillLimits;
  /** Renders the home page of a brand as it is given, saved or not, as a picture: HTML without script. */
  previewHome(brand: Brand, origin: string): Promise<string>;
  /** How networks' files of programmes and promotions read, by the network's slug. */
  feeds: ReadonlyMap<string, FeedAdapter>;
  /** The networks that are set up. */
  networks: NetworkRegistry;
  /** Signs links to offers that are not published yet. */
  previewKey: string;
  /** Returns the origin of a brand's host. */
  originOf(host: string): string;
  /** Where every mail can be read, in development; null elsewhere. */
  mailboxUrl: string | null;
  now(): Date;
  /** Receives unexpected errors of pages, for the server's log. */
  reportError(error: unknown, visit: AdminVisit): void;
}

/** The one export of the admin's server build: it takes services and returns a Request handler. */
export type CreateAdmin = (services: AdminServices) => Admin;
export type Admin = (request: Request, visit: AdminVisit) => Promise<Response>;
