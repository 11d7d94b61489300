import { html } from "hono/html";
import type { Programme } from "../catalogue/catalogue.ts";
import type { Html } from "../pages/plain-page.ts";
import { sectorOf } from "./sectors/sector-of.ts";
import { shopLook } from "./shop-look.ts";

export interface ShopPage {
  programme: Programme;
  slug: string;
  title: string;
  /** The current path, for the department links. */
  department?: string | undefined;
  basketCount: number;
  /** Whether the visitor refused everything but necessary cookies. */
  trackingBlocked: boolean;
  /** The path that the cookie form returns to. */
  path: string;
  /** A line above the shop for the person who tests. */
  notice?: Html;
  body: Html;
}

/** The layout of every page of a shop: header, departments, footer with the cookie choice. */
export function shopFrame(page: ShopPage): Html {
  const { programme, slug } = page;
  const base = `/shops/${slug}`;
  const sector = sectorOf(programme.primarySector, programme.name);
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        <link rel="stylesheet" href="${base}/shop.css" />
        <link rel="icon" href="${base}/mark.svg" type="image/svg+xml" />
      </head>
      <body class="${shopLook(slug).layout}">
        <a class="skip" href="#main">Skip to the shop</a>
        <aside class="notice" aria-label="About this pretend shop">
          <p class="wrap">
            ${page.notice ?? html`A pretend shop in the sandbox: nothing is charged and nothing is sent. <a href="/network">The network's side</a>`}
          </p>
        </aside>
        <header class="top">
          <div class="wrap">
            <a class="name" href="${base}/">${programme.name}</a>
            <nav aria-label="Departments">
              <ul class="departments">
                ${Object.keys(sector.goods).map(
                  (name) =>
                    html`<li>
                      <a
                        href="${base}/?department=${encodeURIComponent(name)}"
                        ${page.department === name ? html` aria-current="page"` : ""}
                        >${name}</a
                      >
                    </li>`,
                )}
              </ul>
            </nav>
            <a class="to-basket" href="${base}/basket">Basket <b>${page.basketCount}</b></a>
          </div>
        </header>
        <main id="main"><div class="wrap">${page.body}</div></main>
        <footer class="bottom">
          <div class="wrap">
            <p>Prices include VAT · 30 days to change your mind</p>
            <form method="post" action="${base}/cookies">
              <input type="hidden" name="back" value="${page.path}" /> ${
                page.trackingBlocked
                  ? html`<span>Only necessary cookies are on.</span
                      ><button class="quiet" name="choice" value="all">Allow all cookies</button>`
                  : html`<span>Marketing cookies are on.</span
                      ><button class="quiet" name="choice" value="necessary">Only necessary cookies</button>`
              }
            </form>
          </div>
        </footer>
      </body>
    </html>`;
}
