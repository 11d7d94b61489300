import type { Page } from "@playwright/test";
import { cardToTake, knownCard } from "../support/known-card.ts";
import { knownAccessRequest } from "../support/known-access-request.ts";
import { knownInvitation } from "../support/known-invitation.ts";
import { knownOffer } from "../support/known-offer.ts";
import { readyForScript } from "../support/ready-for-script.ts";

/** One page in one state. */
export interface View {
  name: string;
  /** A path of the brand's site. */
  path: string | (() => Promise<string>);
  /** Set for a page that only the site from its sources has: the examples of components. */
  isExample?: boolean;
  /** Who opens the page; a visitor by default. */
  as?: "visitor" | "member" | "newcomer" | "operator";
  scheme?: "dark";
  /** Brings the page into its state. `width` is the window's. */
  act?: (page: Page, width: number) => Promise<void>;
  /** Takes only what fits the window, for states that cover the page. */
  isWindowOnly?: boolean;
  /** The widths at which the state exists; all by default. */
  widths?: readonly number[];
}

const offer = (which: Parameters<typeof knownOffer>[0]) => async () => (await knownOffer(which)).path;

const showCode = async (page: Page) => {
  await page.locator("button[aria-haspopup=dialog]", { hasText: "Show QR code" }).click();
  await page.getByRole("dialog", { name: "Digital ID" }).getByRole("img").waitFor();
};

const press = (name: string) => async (page: Page) => {
  const button = page.getByRole("button", { name, exact: true });
  await readyForScript(button);
  await button.click();
};
const wide = [1024, 1440] as const;
const narrow = [375, 768] as const;

async function openMenu(page: Page): Promise<void> {
  const trigger = page.locator(".menu-trigger").first();
  await readyForScript(trigger);
  await trigger.click();
  await page.locator(".menu-panel").first().waitFor();
}

async function searchFor(page: Page): Promise<void> {
  const field = page.locator("#search-field");
  await readyForScript(field);
  await field.click();
  await field.fill("fern");
  await page.getByRole("option", { name: "Fernhollow Boots" }).first().waitFor();
}

/** Reveals the code at the first width. At the others it is revealed already, as on any later visit. */
async function revealCode(page: Page): Promise<void> {
  const code = page.locator("#offer-code");
  if ((await code.count()) === 0) await press("Reveal code")(page);
  await code.waitFor();
}

async function refusedLogin(page: Page): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill("nobody@example.org");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("alert").waitFor();
}

async function emptyStepOne(page: Page): Promise<void> {
  await press("Continue")(page);
  await page.getByRole("alert").waitFor();
}

/** Every page, and every state of a page that looks different. A new page adds its row here. */
export const views: readonly View[] = [
  { name: "home", path: "/" },
  { name: "home-dark", path: "/", scheme: "dark" },
  { name: "menu", path: "/faq", act: openMenu, isWindowOnly: true, widths: wide },
  { name: "menu-dark", path: "/faq", scheme: "dark", act: openMenu, isWindowOnly: true, widths: wide },
  { name: "sheet", path: "/faq", act: press("Menu"), isWindowOnly: true, widths: narrow },
  { name: "search-open", path: "/faq", act: searchFor, isWindowOnly: true, widths: wide },
  { name: "home-member", path: "/", as: "member" },
  { name: "retailers", path: "/retailers" },
  { name: "retailer", path: "/retailers/fernhollow-boots" },
  { name: "retailer-dark", path: "/retailers/fernhollow-boots", scheme: "dark" },
  { name: "retailers-dark", path: "/retailers", scheme: "dark" },
  { name: "category-dark", path: "/categories/shoes-and-bags", scheme: "dark" },
  { name: "category", path: "/categories/shoes-and-bags" },
  { name: "search", path: "/search?q=boots" },
  { name: "search-narrowed", path: "/search?q=boots&kind=code&rate=2&sort=newest" },
  { name: "search-nothing", path: "/search?q=qqqxzzzv" },
  { name: "offer-code", path: offer("code") },
  { name: "offer-code-dark", path: offer("code"), scheme: "dark" },
  { name: "offer-code-member", path: offer("code"), as: "member" },
  { name: "offer-revealed", path: offer("code"), as: "member", act: revealCode },
  { name: "offer-newcomer", path: offer("code"), as: "newcomer" },
  { name: "offer-variants", path: offer("variants"), as: "member" },
  { name: "offer-in-store", path: offer("inStore"), as: "member" },
  { name: "offer-long-title", path: offer("longTitle") },
  { name: "offer-app", path: offer("app") },
  {
    name: "offer-app-dialog",
    path: offer("app"),
    act: async (page) => {
      const button = page.getByRole("link", { name: "Use it in the app" });
      await readyForScript(button);
      await button.click();
      await page.getByRole("dialog").waitFor();
    },
    isWindowOnly: true,
    widths: [1024, 1440],
  },
  { name: "offer-over", path: offer("expired") },
  { name: "gift-cards", path: "/gift-cards" },
  { name: "faq", path: "/faq" },
  { name: "faq-answer", path: "/faq/cashback/how-does-cashback-work" },
  { name: "faq-search", path: "/faq?q=password" },
  { name: "cookies", path: "/cookies" },
  { name: "cookies-dark", path: "/cookies", scheme: "dark" },
  { name: "login", path: "/login" },
  { name: "login-refused", path: "/login", act: refusedLogin },
  { name: "login-code", path: "/login/code" },
  { name: "forgotten-password", path: "/forgotten-password" },
  { name: "reset-password-over", path: "/reset-password?token=long-spent" },
  { name: "register", path: "/register" },
  { name: "register-dark", path: "/register", scheme: "dark" },
  { name: "register-errors", path: "/register", act: emptyStepOne },
  { name: "register-sent", path: "/register/sent" },
  { name: "verification", path: "/verification", as: "newcomer" },
  { name: "verification-dark", path: "/verification", as: "newcomer", scheme: "dark" },
  { name: "verification-verified", path: "/verification", as: "member" },
  { name: "work-email", path: "/verification/work-email", as: "newcomer" },
  { name: "profile", path: "/profile", as: "member" },
  { name: "profile-dark", path: "/profile", as: "member", scheme: "dark" },
  { name: "money", path: "/money", as: "member" },
  { name: "money-dark", path: "/money", as: "member", scheme: "dark" },
  { name: "money-newcomer", path: "/money", as: "newcomer" },
  { name: "purchases", path: "/money/purchases", as: "member" },
  { name: "purchases-none-found", path: "/money/purchases?q=qqqxzzzv", as: "member" },
  { name: "security", path: "/profile/security", as: "member" },
  { name: "security-dark", path: "/profile/security", as: "member", scheme: "dark" },
  { name: "access", path: "/profile/access", as: "member" },
  { name: "access-request", path: knownAccessRequest, as: "member" },
  { name: "access-request-dark", path: knownAccessRequest, as: "member", scheme: "dark" },
  { name: "password", path: "/profile/security/password", as: "member" },
  { name: "emails", path: "/profile/security/emails", as: "member" },
  { name: "two-step", path: "/profile/security/two-step", as: "member" },
  { name: "passkeys", path: "/profile/security/passkeys", as: "member" },
  { name: "favourites", path: "/favourites", as: "member" },
  { name: "favourites-none", path: "/favourites", as: "newcomer" },
  { name: "digital-id", path: "/digital-id", as: "member" },
  { name: "digital-id-dark", path: "/digital-id", as: "member", scheme: "dark" },
  { name: "digital-id-code", path: "/digital-id", as: "member", act: showCode, isWindowOnly: true },
  {
    name: "digital-id-code-dark",
    path: "/digital-id",
    as: "member",
    scheme: "dark",
    act: showCode,
    isWindowOnly: true,
  },
  { name: "digital-id-not-yet", path: "/digital-id", as: "newcomer" },
  { name: "digital-id-offline", path: "/digital-id/offline" },
  { name: "check", path: "/check" },
  { name: "check-not-valid", path: "/check?c=K7Q2-9MXA-4TBD" },
  { name: "offline", path: "/offline" },
  { name: "profile-newcomer", path: "/profile", as: "newcomer" },
  { name: "profile-details", path: "/profile/details", as: "member" },
  { name: "profile-notifications", path: "/profile/notifications", as: "member" },
  { name: "profile-privacy", path: "/profile/privacy", as: "member" },
  { name: "profile-close", path: "/profile/privacy/close", as: "member" },
  { name: "profile-close-dark", path: "/profile/privacy/close", as: "member", scheme: "dark" },
  { name: "claims", path: "/money/claims", as: "member" },
  { name: "claims-dark", path: "/money/claims", as: "member", scheme: "dark" },
  { name: "claims-none", path: "/money/claims", as: "newcomer" },
  { name: "claim-visits", path: "/money/claims/new", as: "member" },
  { name: "gift-cards", path: "/money/gift-cards", as: "member" },
  { name: "gift-cards-none", path: "/money/gift-cards", as: "newcomer" },
  { name: "gift-card", path: () => knownCard(), as: "member" },
  { name: "gift-card-given", path: async () => `${await knownCard()}/gift`, as: "member" },
  { name: "withdraw", path: "/money/withdraw", as: "member" },
  { name: "withdraw-gift-cards", path: "/money/withdraw/gift-cards", as: "member" },
  { name: "withdraw-gift-card", path: () => cardToTake(), as: "member" },
  { name: "withdraw-gift-card-chosen", path: async () => `${await cardToTake()}?value=10`, as: "member" },
  { name: "bank-details", path: "/money/bank-details", as: "member" },
  { name: "friends", path: "/money/friends", as: "member" },
  { name: "join", path: () => knownInvitation(), as: "visitor" },
  { name: "terms", path: "/legal/terms" },
  { name: "privacy-notice", path: "/legal/privacy" },
  { name: "partners", path: "/partners" },
  { name: "status", path: "/status" },
  { name: "not-found", path: "/no-such-page" },
];
