import { html } from "hono/html";

/** Markup from hono/html: escaped, possibly awaiting a part. */
export type Html = ReturnType<typeof html>;

/** A bare page in the sandbox's own look, for errors and short answers. */
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
