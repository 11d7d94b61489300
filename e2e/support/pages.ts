import { knownOffer } from "./known-offer.ts";

export type Who = "visitor" | "newcomer" | "member";

/** A page of the site in one state, for tests of all pages. */
export interface SitePage {
  /** The path of its route, as in routes.ts. */
  route: string;
  /** Its address. Default: the route. */
  path?: string | (() => Promise<string>);
  /** Who views it. */
  as: readonly Who[];
}

const everybody = ["visitor", "newcomer", "member"] as const;
const visitor = ["visitor"] as const;
const signedIn = ["newcomer", "member"] as const;
const member = ["member"] as const;
const offer = (which: Parameters<typeof knownOffer>[0]) => async () => (await knownOffer(which)).path;

/** Every page of the members' site, and states that look like separate pages. */
export const sitePages: readonly SitePage[] = [
  { route: "", path: "/", as: everybody },
  { route: "search", as: visitor },
  { route: "search", path: "/search?q=boots", as: ["visitor", "member"] },
  { route: "search", path: "/search?q=boots&kind=code&rate=2&sort=newest", as: visitor },
  { route: "search", path: "/search?q=qqqxzzzv", as: visitor },
  { route: "retailers", as: visitor },
  { route: "retailers/:slug", path: "/retailers/fernhollow-boots", as: ["visitor", "member"] },
  { route: "offers/:slug", path: offer("code"), as: everybody },
  { route: "offers/:slug", path: offer("inStore"), as: ["visitor", "member"] },
  { route: "offers/:slug", path: offer("app"), as: member },
  { route: "offers/:slug", path: offer("variants"), as: member },
  { route: "offers/:slug", path: offer("longTitle"), as: visitor },
  { route: "offers/:slug", path: offer("expired"), as: visitor },
  { route: "offers/:slug", path: "/offers/nothing?offer=nope", as: visitor },
  { route: "categories/:slug", path: "/categories/shoes-and-bags", as: ["visitor", "member"] },
  { route: "faq/:category?/:question?", path: "/faq", as: visitor },
  { route: "faq/:category?/:question?", path: "/faq/cashback/how-does-cashback-work", as: visitor },
  { route: "faq/:category?/:question?", path: "/faq?q=password", as: visitor },
  { route: "favourites", as: signedIn },
  { route: "alerts/stop", as: visitor },
  { route: "login", as: visitor },
  { route: "login/code", as: visitor },
  { route: "login/again", as: member },
  { route: "forgotten-password", as: visitor },
  { route: "reset-password", as: visitor },
  { route: "reset-password", path: "/reset-password?token=long-spent", as: visitor },
  { route: "confirm-email", path: "/confirm-email?token=long-spent", as: visitor },
  { route: "undo-email-change", path: "/undo-email-change?token=long-spent", as: visitor },
  { route: "register", as: visitor },
  { route: "register/sent", as: visitor },
  { route: "verification", as: signedIn },
  { route: "verification/work-email", as: signedIn },
  { route: "digital-id", as: signedIn },
  { route: "digital-id/offline", as: visitor },
  { route: "check", as: visitor },
  { route: "check", path: "/check?code=123456", as: visitor },
  { route: "offline", as: visitor },
  { route: "carer-migration", as: member },
  { route: "carer-migration/confirm", as: visitor },
  { route: "pay", as: visitor },
  { route: "partners", as: visitor },
  { route: "profile", as: signedIn },
  { route: "profile/details", as: signedIn },
  { route: "profile/notifications", as: member },
  { route: "profile/privacy", as: member },
  { route: "profile/privacy/close", as: member },
  { route: "unsubscribe", path: "/unsubscribe?token=long-spent", as: visitor },
  { route: "profile/security", as: member },
  { route: "profile/security/password", as: member },
  { route: "profile/security/emails", as: member },
  { route: "profile/security/two-step", as: member },
  { route: "profile/security/passkeys", as: member },
  ...["terms", "privacy", "cookies", "accessibility"].map((page) => ({
    route: "legal/:page",
    path: `/legal/${page}`,
    as: visitor,
  })),
  { route: "*", path: "/no-such-page", as: everybody },
];

/** Routes that are not tested as pages: they handle a form or redirect, or only a journey leads to them, which has its own test. */
export const notLookedAt: readonly string[] = ["banner-closed", "logout", "login/passkey", "register/details"];

export const pathOf = async ({ route, path }: SitePage): Promise<string> =>
  path === undefined ? `/${route}` : typeof path === "string" ? path : await path();
