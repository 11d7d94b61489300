import { paths } from "@farthing/core/paths.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";

/** Addresses that people type because other sites have them, and our pages of the same content. */
const pages: Record<string, readonly string[]> = {
  "/search": ["/offers", "/deals", "/vouchers", "/codes", "/categories"],
  "/retailers": ["/shops", "/stores"],
  [paths.faqs]: ["/help", "/faqs", "/contact", "/support", "/how-it-works"],
  "/legal/terms": ["/terms"],
  "/legal/privacy": ["/privacy"],
  "/legal/accessibility": ["/accessibility"],
  "/register": ["/signup", "/sign-up", "/join"],
  "/login": ["/signin", "/sign-in", "/log-in"],
  "/profile": ["/account", "/my-account"],
  [paths.friends]: ["/refer", "/refer-a-friend"],
  [paths.giftCards]: ["/wallet"],
  [paths.claims]: ["/claims"],
  [paths.withdraw]: ["/withdraw", "/payouts"],
};

/** GET of such an address leads to the page, instead of to one that says that there is nothing. */
export function guessedAddresses(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  for (const [page, guesses] of Object.entries(pages))
    for (const guess of guesses) routes.get(guess, (context) => context.redirect(page, 301));
  return routes;
}
