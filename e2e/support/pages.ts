import { pageEntries, type PagePath, type pages } from "../../apps/site/pages.ts";
import { knownAccessRequest } from "./known-access-request.ts";
import { cardToTake, knownCard } from "./known-card.ts";
import { knownClaim } from "./known-claim.ts";
import { knownOffer } from "./known-offer.ts";
import { knownInvitation } from "./known-invitation.ts";
import { knownPurchase } from "./known-purchase.ts";

export type Who = "visitor" | "newcomer" | "member";

/** A page of the site in one state, for checks that go through all of them. */
interface PageState {
  /** Its address; the route's own path unless given. */
  path?: string | (() => Promise<string>);
  /** Who views it. */
  as: readonly Who[];
}

export interface SitePage extends PageState {
  /** The path of its route, as apps/site/pages.ts has it. */
  route: PagePath;
}

/** Pages that pages.ts does not leave out of these checks. */
type ListedPath = { [Path in PagePath]: (typeof pages)[Path] extends { isUnlisted: true } ? never : Path }[PagePath];

const everyone = ["visitor", "newcomer", "member"] as const;
const visitor = ["visitor"] as const;
const signedIn = ["newcomer", "member"] as const;
const member = ["member"] as const;
const offer = (which: Parameters<typeof knownOffer>[0]) => async () => (await knownOffer(which)).path;
const purchase = (state: Parameters<typeof knownPurchase>[0]) => async () => (await knownPurchase(state)).path;

/**
 * Every page of the members' site, with the states of one that look like pages of their own. A page that is missing is
 * a type error.
 */
const pageStates: Record<ListedPath, readonly [PageState, ...PageState[]]> = {
  "/": [{ as: everyone }],
  "/search": [
    { as: visitor },
    { path: "/search?q=boots", as: ["visitor", "member"] },
    { path: "/search?q=boots&kind=code&rate=2&sort=newest", as: visitor },
    { path: "/search?q=qqqxzzzv", as: visitor },
  ],
  "/retailers": [{ as: visitor }],
  "/retailers/:slug": [{ path: "/retailers/fernhollow-boots", as: ["visitor", "member"] }],
  "/offers/:slug": [
    { path: offer("code"), as: everyone },
    { path: offer("inStore"), as: ["visitor", "member"] },
    { path: offer("app"), as: member },
    { path: offer("variants"), as: member },
    { path: offer("longTitle"), as: visitor },
    { path: offer("expired"), as: visitor },
    { path: "/offers/nothing?offer=nope", as: visitor },
  ],
  "/categories/:slug": [{ path: "/categories/shoes-and-bags", as: ["visitor", "member"] }],
  "/faq/:category?/:question?": [
    { path: "/faq", as: visitor },
    { path: "/faq/cashback/how-does-cashback-work", as: visitor },
    { path: "/faq?q=password", as: visitor },
  ],
  "/gift-cards": [{ as: ["visitor", "member"] }],
  "/favourites": [{ as: signedIn }],
  "/alerts/stop": [{ as: visitor }],
  "/login": [{ as: visitor }],
  "/login/code": [{ as: visitor }],
  "/login/again": [{ as: member }],
  "/forgotten-password": [{ as: visitor }],
  "/reset-password": [{ as: visitor }, { path: "/reset-password?token=long-spent", as: visitor }],
  "/confirm-email": [{ path: "/confirm-email?token=long-spent", as: visitor }],
  "/undo-email-change": [{ path: "/undo-email-change?token=long-spent", as: visitor }],
  "/register": [{ as: visitor }],
  "/register/sent": [{ as: visitor }],
  "/verification": [{ as: signedIn }],
  "/verification/work-email": [{ as: signedIn }],
  "/digital-id": [{ as: signedIn }],
  "/digital-id/offline": [{ as: visitor }],
  "/check": [{ as: visitor }, { path: "/check?code=123456", as: visitor }],
  "/offline": [{ as: visitor }],
  "/carer-migration": [{ as: member }],
  "/carer-migration/confirm": [{ as: visitor }],
  "/pay": [{ as: visitor }],
  // Outside of a frame; e2e/gift-card-portal.e2e.ts goes through them inside one.
  "/portal": [{ as: visitor }],
  "/portal/search": [{ path: "/portal/search?q=boots", as: visitor }],
  "/portal/categories/:slug": [{ path: "/portal/categories/shoes-and-bags", as: visitor }],
  "/portal/cards/:slug": [{ path: "/portal/cards/fernhollow-boots", as: visitor }],
  "/portal/basket": [{ as: visitor }],
  "/portal/orders": [{ as: visitor }],
  "/portal/orders/:order": [{ path: "/portal/orders/none", as: visitor }],
  "/partners": [{ as: visitor }],
  "/status": [{ as: ["visitor", "member"] }],
  "/cookies": [{ as: ["visitor", "member"] }, { path: "/cookies?saved", as: visitor }],
  "/money": [{ as: signedIn }],
  "/money/purchases": [{ as: signedIn }, { path: "/money/purchases?q=qqqxzzzv", as: member }],
  "/money/purchases/:purchase": [
    { path: purchase("tracked"), as: member },
    { path: purchase("declined"), as: member },
  ],
  "/money/receipts/:number": [{ path: async () => (await knownPurchase("tracked")).receiptPath, as: member }],
  "/profile": [{ as: signedIn }],
  "/profile/access": [{ as: signedIn }],
  "/profile/access/:request": [{ path: knownAccessRequest, as: member }],
  "/profile/details": [{ as: signedIn }],
  "/profile/notifications": [{ as: member }],
  "/profile/privacy": [{ as: member }],
  "/profile/privacy/close": [{ as: member }],
  "/money/claims": [{ as: signedIn }],
  "/money/claims/new": [{ as: signedIn }],
  "/money/claims/:claim": [{ path: knownClaim, as: member }],
  "/money/claims/:claim/evidence": [{ path: async () => `${await knownClaim()}/evidence`, as: member }],
  "/money/gift-cards": [{ as: signedIn }],
  "/money/gift-cards/:card": [{ path: () => knownCard(), as: member }],
  "/money/gift-cards/:card/gift": [{ path: async () => `${await knownCard()}/gift`, as: member }],
  "/money/gift-cards/offline": [{ as: visitor }],
  "/gift/:token": [{ path: "/gift/long-spent", as: visitor }],
  "/money/withdraw": [{ as: signedIn }],
  "/money/withdraw/gift-cards": [{ as: member }, { path: "/money/withdraw/gift-cards?q=qqqxzzzv", as: member }],
  "/money/withdraw/gift-cards/:card": [
    { path: () => cardToTake(), as: member },
    { path: async () => `${await cardToTake()}?value=10`, as: member },
  ],
  "/money/bank-details": [{ as: member }],
  "/money/friends": [{ as: signedIn }],
  "/join/:code": [{ path: () => knownInvitation(), as: ["visitor", "member"] }],
  "/remove-bank-details": [{ as: visitor }],
  "/unsubscribe": [{ path: "/unsubscribe?token=long-spent", as: visitor }],
  "/profile/security": [{ as: member }],
  "/profile/security/password": [{ as: member }],
  "/profile/security/emails": [{ as: member }],
  "/profile/security/two-step": [{ as: member }],
  "/profile/security/passkeys": [{ as: member }],
  "/legal/:page": [
    { path: "/legal/terms", as: visitor },
    { path: "/legal/privacy", as: visitor },
    { path: "/legal/cookies", as: visitor },
    { path: "/legal/accessibility", as: visitor },
  ],
  "/*": [{ path: "/no-such-page", as: everyone }],
};

export const sitePages: readonly SitePage[] = Object.entries(pageStates).flatMap(([route, states]) =>
  states.map((state) => ({ route: route as ListedPath, ...state })),
);

/** Returns the paths of the pages that the checks have to cover. */
export function listedPaths(): PagePath[] {
  return pageEntries.filter(([, { isUnlisted = false }]) => !isUnlisted).map(([path]) => path);
}

/** Returns the address of a page in this state. */
export const pathOf = async ({ route, path }: SitePage): Promise<string> =>
  path === undefined ? route : typeof path === "string" ? path : await path();
