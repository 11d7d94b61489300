import {
  kindSchema,
  minRateSchema,
  letterSchema,
  offerIdSchema,
  offerSortSchema,
  pageSchema,
  slugSchema,
  variantIdSchema,
} from "@farthing/core/catalogue/schema.ts";
import { historyCursorSchema, purchaseWordsSchema } from "@farthing/core/cashback/schema.ts";
import { faqQuery } from "@farthing/core/faqs/schema.ts";
import { querySchema, searchSortSchema } from "@farthing/core/search/schema.ts";
import { z } from "zod";

/**
 * Who may use a page:
 *
 * - `member`, the default: visitors are sent to the login and back (app/members-only.ts).
 * - `visitor`: members who open it are sent to their profile (app/visitors-only.ts).
 * - `both`: the page is for members, and answers visitors in its own way, for example with 401 to a script.
 * - `public`: everyone.
 */
type Access = "member" | "visitor" | "both" | "public";

/**
 * How long, and by whom, a page may be kept (app/answer-headers.server.ts). Public pages are `shared` unless they say
 * otherwise, all others `private`.
 *
 * - `shared`: the server keeps one copy for all visitors. What a member gets, and the answer to a form, is private.
 * - `device`: the same for everyone and kept by the service worker.
 * - `private`: kept nowhere.
 * - `token`: private, and its address, which carries a token from an e-mail, is sent to no other site.
 * - `secret`: private, and its address is sent nowhere at all.
 */
export type Privacy = "shared" | "device" | "private" | "token" | "secret";

/** Everything that the site, the server and the browser tests have to know of a page without loading its module. */
export interface PageFacts {
  /** The route module, below `app/`. */
  file: string;
  /**
   * `controller#action`, the page's name in the body's data-controller and data-action (P7). Routes without a page
   * have none.
   */
  name?: `${string}#${string}`;
  access?: Access;
  privacy?: Privacy;
  /**
   * The query parameters that the page reads, in the order in which the site's own links write
   * them (server/page-parameters.ts).
   */
  parameters?: Readonly<Record<string, z.ZodType>>;
  /** Where a visitor goes after the login, if that is not this page. */
  afterLogin?: `/${string}`;
  /**
   * Whether a partner's frame may show the page (W9): `only` there, also `allowed` there, or never (the default). Pages
   * on which people type or change what is theirs are never framed. All pages with the same first segment agree. In a
   * frame a page has a bar in place of the site's header and footer (app/ui/layout/frame-bar.tsx).
   */
  framing?: "only" | "allowed";
  /**
   * True for pages that people open first, on any connection: they do without the styles of forms and of members'
   * pages (styles/account.css).
   */
  isBrowsing?: true;
  /**
   * True for a shared page that says something else to each member, beyond name and favourites: such as the codes that
   * they have revealed.
   */
  isPersonal?: true;
  /** True where the page has a search field of its own. */
  bringsSearch?: true;
  /** True where the page has no site header and footer. */
  isLean?: true;
  /**
   * True where the page holds the widget, as a partner's page does: its content security policy allows what the card
   * form loads from the card provider.
   */
  opensCardForm?: true;
  /** True where the page has no script. */
  isStill?: true;
  /**
   * What a form posts as multipart/form-data: `file` for uploads, `one-click` for mail programs that unsubscribe by
   * themselves (RFC 8058).
   */
  multipart?: "file" | "one-click";
  /** True for pages that only a site served from its sources has (`npm run dev`): no build has their route. */
  isDevelopmentOnly?: true;
  /**
   * True for pages that the checks of all pages (e2e/support/pages.ts) leave out: they redirect, or only a journey with
   * a test of its own leads there.
   */
  isUnlisted?: true;
}

/** Any text, or null where the parameter is missing. */
const text = z.string().nullable();
/** Whether the parameter is there at all, whatever its value. */
const presence = z
  .string()
  .nullable()
  .transform((value) => value !== null);
/** The public id of an order, as another site hands it back. Anything else is ignored. */
const publicIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,40}$/)
  .nullable()
  .catch(null);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).nullable().catch(null);

/** A form of the page was sent, and its member had to prove first who they are (provedMemberOf). */
const notSaved = oneOf(["not-saved"]);

/** The pages of the gift-card portal: in a frame only, each with a visitor's own basket. They bring their own styles. */
const portal = {
  access: "public",
  privacy: "private",
  framing: "only",
  isLean: true,
  isBrowsing: true,
} as const satisfies Partial<PageFacts>;

/**
 * Every page of the site by its route path. This is the one place for facts of a page: app/routes.ts, the guards, the
 * page cache, framing, metrics, uploads and the browser tests are derived from it.
 */
export const pages = {
  "/": {
    file: "routes/home/home-page.tsx",
    name: "home#index",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    bringsSearch: true,
  },
  "/search": {
    file: "routes/search/search-page.tsx",
    name: "search#index",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    bringsSearch: true,
    parameters: {
      q: querySchema,
      show: oneOf(["offers", "retailers"]),
      kind: kindSchema,
      category: slugSchema,
      rate: minRateSchema,
      sort: searchSortSchema,
      page: pageSchema,
    },
  },
  "/retailers": {
    file: "routes/retailers/retailer-list-page.tsx",
    name: "retailers#index",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    parameters: {
      letter: letterSchema,
      category: slugSchema,
      kind: kindSchema,
      rate: minRateSchema,
      page: pageSchema,
    },
  },
  "/retailers/:slug": {
    file: "routes/retailers/retailer-page.tsx",
    name: "retailers#show",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    parameters: { kind: kindSchema, sort: offerSortSchema, page: pageSchema },
  },
  "/offers/:slug": {
    file: "routes/offers/offer-page.tsx",
    name: "offers#show",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    isPersonal: true,
    parameters: { offer: offerIdSchema, offer_variant: variantIdSchema, reveal_code: text, preview: text },
  },
  "/categories/:slug": {
    file: "routes/categories/category-page.tsx",
    name: "categories#show",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    parameters: { kind: kindSchema, rate: minRateSchema, sort: offerSortSchema, page: pageSchema },
  },
  "/faq/:category?/:question?": {
    file: "routes/faqs/faq-page.tsx",
    name: "faqs#index",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
    parameters: { q: faqQuery },
  },
  "/legal/:page": {
    file: "routes/legal-pages/legal-page.tsx",
    name: "legal#show",
    access: "public",
    framing: "allowed",
    isBrowsing: true,
  },
  "/gift-cards": {
    file: "routes/gift-cards/gift-cards-page.tsx",
    name: "gift-cards#show",
    access: "public",
    isBrowsing: true,
    opensCardForm: true,
    parameters: { retailer: slugSchema, order: publicIdSchema },
  },
  "/partners": {
    file: "routes/partners/partners-page.tsx",
    name: "partners#show",
    access: "public",
  },
  "/status": {
    file: "routes/status/status-page.tsx",
    name: "status#show",
    access: "public",
    isBrowsing: true,
  },
  "/cookies": {
    file: "routes/consent/cookies-page.tsx",
    name: "consent#edit",
    access: "public",
    privacy: "private",
    parameters: { saved: presence },
  },
  "/banner-closed": {
    file: "routes/brands/close-banner-page.tsx",
    access: "public",
    isUnlisted: true,
  },
  // Components in every state (docs/components.md).
  "/examples/:part?/:example?": {
    file: "ui/examples-page.tsx",
    name: "examples#show",
    access: "public",
    privacy: "private",
    isLean: true,
    isDevelopmentOnly: true,
    isUnlisted: true,
  },
  "/offline": {
    file: "routes/errors/offline-page.tsx",
    name: "errors#offline",
    access: "public",
    privacy: "device",
    isLean: true,
    isStill: true,
  },

  "/favourites": { file: "routes/favourites/favourites-page.tsx", name: "favourites#index", access: "both" },
  "/favourites/wanted": {
    file: "routes/favourites/wanted-page.ts",
    access: "both",
    parameters: { next: text },
    isUnlisted: true,
  },
  "/alerts/stop": {
    file: "routes/alerts/stop-alert-page.tsx",
    name: "favourites#stop-alert",
    access: "public",
    privacy: "secret",
    parameters: { token: text },
    multipart: "one-click",
  },

  "/login": {
    file: "routes/sign-in/login-page.tsx",
    name: "sessions#new",
    access: "public",
    privacy: "private",
    parameters: { next: text, note: text },
  },
  "/login/code": { file: "routes/sign-in/code-page.tsx", name: "sessions#code", access: "visitor" },
  "/login/passkey": {
    file: "routes/sign-in/passkey-login-page.tsx",
    access: "public",
    privacy: "private",
    isUnlisted: true,
  },
  "/login/again": {
    file: "routes/sign-in/again-page.tsx",
    name: "sessions#again",
    access: "both",
    parameters: { next: text },
  },
  "/forgotten-password": {
    file: "routes/sign-in/forgotten-password-page.tsx",
    name: "passwords#new",
    access: "public",
    privacy: "private",
  },
  "/reset-password": {
    file: "routes/sign-in/reset-password-page.tsx",
    name: "passwords#edit",
    access: "public",
    privacy: "token",
    parameters: { token: text },
  },
  "/confirm-email": {
    file: "routes/sign-in/confirm-email-page.tsx",
    name: "emails#confirm",
    access: "public",
    privacy: "token",
    parameters: { token: text },
  },
  "/undo-email-change": {
    file: "routes/sign-in/undo-email-change-page.tsx",
    name: "emails#undo",
    access: "public",
    privacy: "token",
    parameters: { token: text },
  },
  "/remove-bank-details": {
    file: "routes/payouts/remove-bank-details-page.tsx",
    name: "bank-details#remove",
    access: "public",
    privacy: "token",
    parameters: { token: text },
  },
  "/logout": { file: "routes/sign-in/logout-page.tsx", access: "public", isUnlisted: true },

  "/join/:code": {
    file: "routes/referrals/join-page.tsx",
    name: "friends#join",
    access: "public",
    privacy: "private",
  },
  "/register": {
    file: "routes/registration/registration-page.tsx",
    name: "registrations#new",
    access: "visitor",
    parameters: { over: presence },
  },
  "/register/details": {
    file: "routes/registration/details-page.tsx",
    name: "registrations#edit",
    access: "visitor",
    isUnlisted: true,
  },
  "/register/draft": {
    file: "routes/registration/keep-draft.ts",
    access: "public",
    privacy: "private",
    isUnlisted: true,
  },
  "/register/sent": {
    file: "routes/registration/sent-page.tsx",
    name: "registrations#show",
    access: "public",
    privacy: "private",
  },

  "/verification": {
    file: "routes/verification-requests/verification-page.tsx",
    name: "attachments#new",
    parameters: { sent: oneOf(["document", "work-email"]) },
    multipart: "file",
  },
  "/verification/attachment": {
    file: "routes/verification-requests/send-attachment.ts",
    access: "both",
    multipart: "file",
    isUnlisted: true,
  },
  "/verification/attachment/:id": {
    file: "routes/verification-requests/own-attachment.ts",
    access: "both",
    isUnlisted: true,
  },
  "/verification/work-email": {
    file: "routes/verification-requests/work-email-page.tsx",
    name: "work-emails#new",
    access: "both",
    parameters: { token: text },
  },

  "/digital-id": {
    file: "routes/digital-ids/digital-id-page.tsx",
    name: "digital-ids#show",
    parameters: { show: oneOf(["code"]) },
  },
  "/digital-id/device": { file: "routes/digital-ids/hand-out-device.ts", access: "both", isUnlisted: true },
  "/digital-id/offline": {
    file: "routes/digital-ids/kept-card-page.tsx",
    name: "digital-ids#offline",
    access: "public",
    privacy: "device",
    isLean: true,
  },
  "/check": {
    file: "routes/digital-ids/check-page.tsx",
    name: "digital-ids#check",
    access: "public",
    privacy: "secret",
    isLean: true,
    isStill: true,
    parameters: { c: text },
  },

  "/carer-migration": {
    file: "routes/carer-migrations/carer-migration-page.tsx",
    name: "carer-migrations#show",
  },
  "/carer-migration/confirm": {
    file: "routes/carer-migrations/confirm-move-page.tsx",
    name: "carer-migrations#edit",
    access: "public",
    privacy: "secret",
    parameters: { token: text },
  },

  "/pay": {
    file: "routes/payments/pay-page.tsx",
    name: "payments#new",
    access: "public",
    privacy: "secret",
    framing: "only",
    isLean: true,
  },

  "/portal": { file: "routes/portal/portal-page.tsx", name: "portal#index", ...portal },
  "/portal/search": {
    file: "routes/portal/search-page.tsx",
    name: "portal#search",
    ...portal,
    parameters: { q: querySchema },
  },
  "/portal/categories/:slug": { file: "routes/portal/category-page.tsx", name: "portal#category", ...portal },
  "/portal/cards/:slug": { file: "routes/portal/card-page.tsx", name: "portal#card", ...portal },
  "/portal/basket": {
    file: "routes/portal/basket-page.tsx",
    name: "portal#basket",
    ...portal,
    parameters: {
      present: text,
      note: oneOf(["added", "changed", "removed", "present", "no-present", "again", "again-presents", "again-part"]),
    },
  },
  "/portal/orders": { file: "routes/portal/orders-page.tsx", name: "portal#orders", ...portal },
  "/portal/orders/:order": {
    file: "routes/portal/order-page.tsx",
    name: "portal#order",
    ...portal,
    privacy: "secret",
  },
  "/portal/orders/:order/payment": { file: "routes/portal/order-payment.ts", ...portal, isUnlisted: true },

  "/money": { file: "routes/cashback/money-page.tsx", name: "money#show" },
  "/money/purchases": {
    file: "routes/cashback/purchases-page.tsx",
    name: "purchases#index",
    parameters: { q: purchaseWordsSchema, before: historyCursorSchema, after: historyCursorSchema },
  },
  "/money/purchases/:purchase": { file: "routes/cashback/purchase-page.tsx", name: "purchases#show" },
  "/money/purchases.csv": { file: "routes/cashback/download-purchases.ts", isUnlisted: true },
  "/money/receipts/:number": { file: "routes/cashback/receipt-page.tsx", name: "receipts#show" },
  "/money/receipts/:number/:file": { file: "routes/cashback/download-receipt.ts", isUnlisted: true },

  "/profile": {
    file: "routes/cashback/profile-page.tsx",
    name: "profiles#show",
    parameters: { before: historyCursorSchema, after: historyCursorSchema },
  },
  "/money/claims": {
    file: "routes/claims/claims-page.tsx",
    name: "claims#index",
    parameters: { note: oneOf(["put-away"]) },
  },
  "/money/claims/new": {
    file: "routes/claims/new-claim-page.tsx",
    name: "claims#new",
    parameters: { click: text, purchase: historyCursorSchema },
  },
  "/money/claims/:claim": {
    file: "routes/claims/claim-page.tsx",
    name: "claims#show",
    parameters: { note: oneOf(["made", "already", "appealed", "withdrawn", "too-late", "evidence"]) },
  },
  "/money/claims/:claim/evidence": {
    file: "routes/claims/evidence-page.tsx",
    name: "claims#evidence",
    multipart: "file",
  },
  "/money/claims/:claim/evidence/file": {
    file: "routes/claims/send-evidence.ts",
    access: "both",
    multipart: "file",
    isUnlisted: true,
  },
  "/money/gift-cards": { file: "routes/wallet/wallet-page.tsx", name: "gift-cards#index" },
  "/money/gift-cards/offline": {
    file: "routes/wallet/kept-gift-cards-page.tsx",
    name: "gift-cards#offline",
    access: "public",
    privacy: "device",
    isLean: true,
  },
  "/money/gift-cards/:card": {
    file: "routes/wallet/wallet-card-page.tsx",
    name: "gift-cards#show",
    parameters: {
      note: oneOf([
        "ready",
        "used",
        "unused",
        "spent",
        "removed",
        "balance",
        "no-check",
        "issuer-unavailable",
        "taken-back",
      ]),
    },
  },
  "/money/gift-cards/:card/gift": {
    file: "routes/wallet/give-page.tsx",
    name: "gift-cards#give",
    parameters: { note: oneOf(["given", "changed", "again", "too-late", "too-often", "card-over", "not-saved"]) },
  },
  "/gift/:token": {
    file: "routes/wallet/present-page.tsx",
    name: "presents#show",
    access: "public",
    privacy: "secret",
  },
  "/money/withdraw": {
    file: "routes/payouts/withdraw-page.tsx",
    name: "payouts#new",
    parameters: { note: oneOf(["requested", "ready", "cancelled", "too-late", "card"]) },
  },
  "/money/withdraw/gift-cards": {
    file: "routes/payouts/gift-card-choice-page.tsx",
    name: "payouts#cards",
    parameters: { q: querySchema },
  },
  "/money/withdraw/gift-cards/:card": {
    file: "routes/payouts/take-gift-card-page.tsx",
    name: "payouts#card",
    parameters: { note: notSaved, value: text },
  },
  "/money/friends": {
    file: "routes/referrals/friends-page.tsx",
    name: "friends#show",
    parameters: { note: oneOf(["new-link", "name"]) },
  },
  "/money/bank-details": {
    file: "routes/payouts/bank-details-page.tsx",
    name: "bank-details#edit",
    parameters: { note: notSaved, saved: oneOf(["yes", "same"]) },
  },
  "/profile/details": {
    file: "routes/members/details-page.tsx",
    name: "profiles#edit",
    parameters: { saved: oneOf(["proof", "yes", "same"]) },
  },
  "/profile/notifications": {
    file: "routes/mail-choices/notifications-page.tsx",
    name: "notifications#edit",
    parameters: { saved: presence },
  },
  "/profile/access": {
    file: "routes/account-access/access-page.tsx",
    name: "account-access#index",
    parameters: { note: oneOf(["ended", "yes", "no"]) },
  },
  "/profile/access/:request": {
    file: "routes/account-access/access-request-page.tsx",
    name: "account-access#show",
    parameters: { note: notSaved },
  },
  "/profile/privacy": {
    file: "routes/personal-data/privacy-page.tsx",
    name: "privacy#show",
    parameters: { note: oneOf(["stays", "too-many", "ready"]) },
  },
  "/profile/privacy/export": {
    file: "routes/personal-data/export-data.ts",
    afterLogin: "/profile/privacy?note=ready",
    isUnlisted: true,
  },
  "/profile/privacy/close": {
    file: "routes/closures/close-page.tsx",
    name: "closures#edit",
    parameters: { note: notSaved },
  },
  "/unsubscribe": {
    file: "routes/mail-choices/unsubscribe-page.tsx",
    name: "notifications#unsubscribe",
    access: "public",
    privacy: "token",
    parameters: { token: text },
    multipart: "one-click",
  },
  "/profile/security": {
    file: "routes/sign-in/security-page.tsx",
    name: "security#show",
    parameters: { note: text },
  },
  "/profile/security/password": {
    file: "routes/sign-in/password-page.tsx",
    name: "security#password",
    parameters: { note: notSaved },
  },
  "/profile/security/emails": {
    file: "routes/members/emails-page.tsx",
    name: "security#emails",
    parameters: { note: notSaved },
  },
  "/profile/security/two-step": {
    file: "routes/sign-in/two-step-page.tsx",
    name: "security#two-step",
    parameters: { note: notSaved },
  },
  "/profile/security/passkeys": {
    file: "routes/sign-in/passkeys-page.tsx",
    name: "security#passkeys",
    parameters: { note: notSaved },
  },

  /** Every other address: a page of the brand's that says there is nothing, or why the server refused the request. */
  "/*": {
    file: "routes/errors/not-found-page.tsx",
    name: "errors#show",
    access: "public",
    isBrowsing: true,
  },
} as const satisfies Record<`/${string}`, PageFacts>;

/** The path of a page as its route has it, for example `/offers/:slug`. */
export type PagePath = keyof typeof pages;

const allEntries = Object.entries(pages) as readonly (readonly [PagePath, PageFacts])[];

/** The pages of every build with their paths, and their facts in the type that all pages share. */
export const pageEntries = allEntries.filter(([, { isDevelopmentOnly }]) => !isDevelopmentOnly);

/** The pages that only a site served from its sources has. */
export const developmentPageEntries = allEntries.filter(([, { isDevelopmentOnly }]) => isDevelopmentOnly);

/** Returns the facts of the page at `path`. */
export function factsOf(path: PagePath): PageFacts {
  return pages[path];
}

/** Returns whether `path` is a page's. */
export function isPagePath(path: string): path is PagePath {
  return Object.hasOwn(pages, path);
}

/** Returns who may use a page. */
export function accessOf({ access = "member" }: PageFacts): Access {
  return access;
}

/** Returns how a page may be kept. */
export function privacyOf(facts: PageFacts): Privacy {
  return facts.privacy ?? (accessOf(facts) === "public" ? "shared" : "private");
}

/** Returns whether a page differs between members only in their name and favourites (docs/decisions/032-pages-for-members.md). */
export function isSameForMembers(facts: PageFacts): boolean {
  return privacyOf(facts) === "shared" && facts.name !== undefined && facts.isPersonal !== true;
}
