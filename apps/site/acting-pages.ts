import type { PagePath } from "./pages.ts";
import { findPage, withoutData } from "./server/find-page.ts";

/**
 * What an operator who acts as a member with their consent may do at an address (A3):
 *
 * - `all`: open it, and send its forms.
 * - `read`: open it only.
 * - a reason: nothing, and the page says why not, after "This is never open to the club: ".
 */
export type ActingRule = "all" | "read" | { refused: string };

const money = { refused: "money goes where the member sends it." };
const signIn = { refused: "how the account is opened is the member’s own business." };
const codes = { refused: "gift cards and their codes are as good as cash." };
const closing = { refused: "only the member closes the account." };
const copy = { refused: "only the member takes a copy of their data." };
const consent = { refused: "only the member agrees to something in their name." };
const identity = { refused: "it proves who the member is." };
const buying = { refused: "only the member buys something." };
const mailLink = { refused: "the link of an e-mail is for the person who got it." };
const visitors = { refused: "this page is for somebody who is not logged in." };
const frames = { refused: "this page is for a partner’s visitors." };

/**
 * The rule of every page. A page that is missing is a type error: whoever adds one decides here. An address that is not in
 * the table is refused.
 */
export const actingPages: Readonly<Record<PagePath, ActingRule>> = {
  "/": "read",
  "/search": "read",
  "/retailers": "read",
  "/retailers/:slug": "read",
  // Its form is the member's own opinion of a code. A code is revealed by reading: `actingRuleOf` refuses that.
  "/offers/:slug": "read",
  "/categories/:slug": "read",
  "/faq/:category?/:question?": "read",
  "/legal/:page": "read",
  "/partners": "read",
  "/status": "read",
  "/cookies": consent,
  "/banner-closed": "all",
  "/examples/:part?/:example?": "read",
  "/offline": "read",
  "/favourites": "all",
  "/favourites/wanted": "all",
  "/alerts/stop": mailLink,
  "/gift-cards": buying,

  "/login": visitors,
  "/login/code": visitors,
  "/login/passkey": visitors,
  "/login/again": signIn,
  "/logout": { refused: "press “Stop” at the top instead." },
  "/forgotten-password": signIn,
  "/reset-password": signIn,
  "/confirm-email": mailLink,
  "/undo-email-change": mailLink,
  "/remove-bank-details": mailLink,
  "/unsubscribe": mailLink,
  "/join/:code": visitors,
  "/register": visitors,
  "/register/details": visitors,
  "/register/draft": visitors,
  "/register/sent": visitors,

  // The state of the proof; what is sent as proof is the member's word.
  "/verification": "read",
  "/verification/attachment": consent,
  "/verification/attachment/:id": identity,
  "/verification/work-email": mailLink,
  "/digital-id": identity,
  "/digital-id/device": identity,
  "/digital-id/offline": identity,
  "/check": identity,
  "/carer-migration": consent,
  "/carer-migration/confirm": consent,

  "/pay": frames,
  "/portal": frames,
  "/portal/search": frames,
  "/portal/categories/:slug": frames,
  "/portal/cards/:slug": frames,
  "/portal/basket": frames,
  "/portal/orders": frames,
  "/portal/orders/:order": frames,
  "/portal/orders/:order/payment": frames,

  "/money": "read",
  "/money/purchases": "read",
  "/money/purchases/:purchase": "read",
  "/money/purchases.csv": copy,
  "/money/receipts/:number": "read",
  "/money/receipts/:number/:file": copy,
  "/money/claims": "all",
  "/money/claims/new": "all",
  "/money/claims/:claim": "all",
  "/money/claims/:claim/evidence": "all",
  "/money/claims/:claim/evidence/file": "all",
  "/money/gift-cards": codes,
  "/money/gift-cards/offline": codes,
  "/money/gift-cards/:card": codes,
  "/money/gift-cards/:card/gift": codes,
  "/gift/:token": codes,
  "/money/withdraw": money,
  "/money/withdraw/gift-cards": money,
  "/money/withdraw/gift-cards/:card": money,
  "/money/bank-details": money,
  "/money/friends": "read",

  "/profile": "read",
  "/profile/details": "all",
  // Which e-mails somebody gets is a consent.
  "/profile/notifications": "read",
  "/profile/access": consent,
  "/profile/access/:request": consent,
  "/profile/privacy": copy,
  "/profile/privacy/export": copy,
  "/profile/privacy/close": closing,
  "/profile/security": signIn,
  "/profile/security/password": signIn,
  "/profile/security/emails": signIn,
  "/profile/security/two-step": signIn,
  "/profile/security/passkeys": signIn,

  "/*": "read",
};

const shopping = { refused: "a visit to a shop would earn the member cashback for something they did not buy." };
const codeOfOffer = { refused: "a code is counted as the member’s." };

/** The server's own addresses on a brand's host, by their first segment. */
export const actingServerPaths: Readonly<Record<string, ActingRule | "apart">> = {
  go: shopping,
  redirect: frames,
  // The same for everybody, and nothing of a member's: they know nobody, acting or not.
  brand: "apart",
  "favicon.ico": "apart",
  "apple-touch-icon.png": "apart",
  "apple-touch-icon-precomposed.png": "apart",
  "manifest.webmanifest": "apart",
  "sw.js": "apart",
  "robots.txt": "apart",
  "sitemap.xml": "apart",
  sitemaps: "apart",
  // Starts and stops a session (apps/server/account-access/acting-routes.ts).
  acting: "apart",
};

export interface ActedRequest {
  method: string;
  pathname: string;
  search: string;
}

/** Returns what an operator who acts as a member may do with this request; `apart`: acting does not touch it. */
export function actingRuleOf({
  method,
  pathname,
  search,
}: ActedRequest): { allowed: "see" | "change" } | { refused: string } | "apart" {
  const first = pathname.split("/", 2)[1] ?? "";
  if (Object.hasOwn(actingServerPaths, first)) {
    const rule = actingServerPaths[first];
    if (rule === "apart" || typeof rule === "object") return rule;
  }
  if (new URLSearchParams(search).has("reveal_code")) return codeOfOffer;
  const page = findPage(pathname.endsWith(".data") ? withoutData(pathname) || "/" : pathname)?.page ?? "/*";
  const rule = actingPages[page];
  if (typeof rule === "object") return rule;
  if (method === "GET" || method === "HEAD") return { allowed: "see" };
  return rule === "all"
    ? { allowed: "change" }
    : { refused: "the page can be seen, and only the member sends its forms." };
}

/** Returns a request in a few words for the audit log: without its query, which may hold what was typed. */
export function actedRequestText({ method, pathname }: ActedRequest): string {
  const page = findPage(pathname.endsWith(".data") ? withoutData(pathname) || "/" : pathname);
  const isOwn = Object.hasOwn(actingServerPaths, pathname.split("/", 2)[1] ?? "");
  return `${method} ${page?.path ?? (isOwn ? pathname : "/*")}`.slice(0, 300);
}
