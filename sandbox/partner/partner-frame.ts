import { html } from "hono/html";
import type { Html } from "../pages/plain-page.ts";

export const SHOP_NAME = "Larder Lane";

const pages = [
  ["/", "Checkout"],
  ["/react", "React"],
  ["/shadow", "Shadow root"],
  ["/gift-cards", "Gift cards"],
  ["/playground", "Playground"],
  ["/guides", "Guides"],
] as const;

export interface ShopPage {
  title: string;
  /** The page's own path, for the navigation. */
  path: string;
  /** Script tags. */
  scripts?: Html;
  body: Html;
}

/** The layout of every page of the shop. */
export function partnerFrame({ title, path, scripts, body }: ShopPage): Html {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${SHOP_NAME}</title>
        <link rel="stylesheet" href="/larder-lane.css" />
        <link rel="icon" href="/mark.svg" type="image/svg+xml" />
        ${scripts ?? ""}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the page</a>
        <p class="pretend">A pretend shop of the sandbox: nothing is charged and nothing is sent.</p>
        <header>
          <a class="name" href="/"><img src="/mark.svg" alt="" width="36" height="36" />${SHOP_NAME}</a>
          <nav aria-label="Pages">
            <ul>
              ${pages.map(
                ([href, name]) =>
                  html`<li>
                    <a href="${href}" ${href === path ? html`aria-current="page"` : ""}>${name}</a>
                  </li>`,
              )}
            </ul>
          </nav>
        </header>
        <main id="main">${body}</main>
        <footer>
          <p>${SHOP_NAME} · Hampers packed on Thursdays, at your door on Fridays</p>
        </footer>
      </body>
    </html>`;
}

/** The logo: a jar with a gingham lid. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="24" fill="#1f3d2b"/><path d="M15 20h18v15a4 4 0 0 1-4 4H19a4 4 0 0 1-4-4Z" fill="#e9a23b"/><path d="M12 18c0-5 4-8 12-8s12 3 12 8l-3 3-3-2-3 2-3-2-3 2-3-2-3 2Z" fill="#c8432b"/><path d="M18 12v7m6-9v9m6-7v7M13 16h22" stroke="#fbf4e6" stroke-width="1.2"/><rect x="18" y="26" width="12" height="8" rx="1" fill="#fbf4e6"/></svg>';
