import { html } from "hono/html";
import type { Html } from "./plain-page.ts";

export const rooms = [
  { path: "/", name: "Overview" },
  { path: "/network", name: "Network" },
  { path: "/shops", name: "Shops" },
  { path: "/cards", name: "Cards" },
  { path: "/issuer", name: "Gift cards" },
  { path: "/tag-manager", name: "Tags" },
  { path: "/engagement", name: "Messages" },
  { path: "/mailbox", name: "Mailbox" },
] as const;

/** The layout of the sandbox's own pages. */
export function sandboxFrame(page: { title: string; path: string; body: Html; message?: string | undefined }): Html {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Sandbox</title>
        <link rel="stylesheet" href="/sandbox.css" />
        <link rel="icon" href="/sandbox-icon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <div class="wide">
            <a class="brand" href="/"><img src="/sandbox-icon.svg" alt="" width="28" height="28" /> Sandbox</a>
            <nav aria-label="Rooms">
              <ul>
                ${rooms.map((room) => html`<li><a href="${room.path}" ${room.path === page.path ? html` aria-current="page"` : ""}>${room.name}</a></li>`)}
              </ul>
            </nav>
          </div>
        </header>
        <main id="main" class="wide">
          ${page.message ? html`<p class="message" role="status">${page.message}</p>` : ""}${page.body}
        </main>
      </body>
    </html>`;
}
