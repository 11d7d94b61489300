import { html } from "hono/html";

/** Escaped markup from hono/html, possibly a promise. */
export type Html = ReturnType<typeof html>;

/** A plain page with the sandbox's style, for errors and short messages. */
export function plainPage(title: string, body: Html | string): Html {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/sandbox.css" />
        <link rel="icon" href="/sandbox-icon.svg" type="image/svg+xml" />
      </head>
      <body class="plain">
        <main>
          <h1>${title}</h1>
          ${body}
          <p><a href="/">About this sandbox</a></p>
        </main>
      </body>
    </html>`;
}
