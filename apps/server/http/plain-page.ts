import escapeHtml from "escape-html";
import { createHash } from "node:crypto";

const STYLE =
  "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#1c1b1a;background:#fbfaf8}h1{font-size:1.75rem;line-height:1.2}a{color:#0b57a4}@media (prefers-color-scheme:dark){body{color:#efece6;background:#191817}a{color:#9ccaff}}";
const styleHash = createHash("sha256").update(STYLE).digest("base64");
const policy = (ancestors: string) =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors ${ancestors}; base-uri 'none'; form-action 'self'`;

export interface PlainPage {
  status: number;
  title: string;
  /** Plain text: what happened and what to do. */
  text: string;
  /** The controller that the body names (P7); "errors" by default. */
  controller?: string;
  /** A link to a path of this site. */
  link?: { href: string; label: string };
  headers?: Record<string, string>;
  /** The only origin whose pages may frame this one; none by default. */
  framedBy?: string | null;
}

/** Returns a self-contained page, for when no brand is known or the site could not render (Z5). */
export function plainPage({
  status,
  title,
  text,
  controller = "errors",
  link,
  headers,
  framedBy,
}: PlainPage): Response {
  const linkHtml = link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : "";
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body data-controller="${escapeHtml(controller)}" data-action="show"><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${linkHtml}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(framedBy ?? "'none'"),
      "Cache-Control": "no-store",
    },
  });
}
