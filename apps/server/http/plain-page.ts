import escapeHtml from "escape-html";
import { createHash } from "node:crypto";
import { FRAME_HEADERS } from "./security-headers.ts";

const STYLE =
  "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#1c1b1a;background:#fbfaf8}h1{font-size:1.75rem;line-height:1.2}a{color:#0b57a4}button{font:inherit;padding:.6rem 1.5rem}@media (prefers-color-scheme:dark){body{color:#efece6;background:#191817}a{color:#9ccaff}}";
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const styleHash = hashOf(STYLE);
const policy = (ancestors: string, script: string) =>
  `default-src 'none'; style-src ${styleHash};${script && ` script-src ${hashOf(script)};`} frame-ancestors ${ancestors}; base-uri 'none'; form-action 'self'`;

/** Why a frame shows no page, for the page around it. */
export type FrameProblem =
  | "path"
  | "token"
  | "withdrawn"
  | "expired"
  | "spent"
  | "session-ended"
  | "not-found"
  | "not-framed"
  | "error";

/** For `PlainPage.frame`: whoever frames the page may show it and hears the problem. The page has nothing of anybody's. */
export const ANY_ORIGIN = "*";

export interface PlainPage {
  status: number;
  title: string;
  /** Plain text: what happened and what to do. */
  text: string;
  /** The controller that the body names (P7); "errors" by default. */
  controller?: string;
  /** A link to a path of this site. `isOutside`: it opens in a tab of its own. */
  link?: { href: string; label: string; isOutside?: true };
  /** A form with one button and hidden fields, which posts to a path of this site. */
  form?: { action: string; button: string; fields: Record<string, string> };
  headers?: Record<string, string>;
  /**
   * The only origin whose pages may frame this one, or `ANY_ORIGIN`, and what they are told: none by default. The page around the frame
   * hears of the problem at once (docs/widget.md, "Messages"), not after 15 seconds of silence.
   */
  frame?: { origin: string; problem: FrameProblem } | null;
}

/** Returns a self-contained page, for when no brand is known or the site could not render (Z5). */
export function plainPage(page: PlainPage): Response {
  const { status, title, text, controller = "errors", link, form, headers, frame } = page;
  const target = link?.isOutside ? ' target="_blank" rel="noopener noreferrer"' : "";
  const linkHtml = link ? `<p><a href="${escapeHtml(link.href)}"${target}>${escapeHtml(link.label)}</a></p>` : "";
  const formHtml = form ? plainForm(form) : "";
  const script = frame ? reportScript(status, frame) : "";
  const scriptHtml = script && `<script>${script}</script>`;
  const html = `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body data-controller="${escapeHtml(controller)}" data-action="show"><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${linkHtml}${formHtml}</main>${scriptHtml}</body></html>`;
  return new Response(html, {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(frame?.origin ?? "'none'", script),
      "Cache-Control": "no-store",
      ...(frame ? FRAME_HEADERS : {}),
    },
  });
}

function plainForm({ action, button, fields }: NonNullable<PlainPage["form"]>): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="${escapeHtml(action)}">${hidden.join("")}<button>${escapeHtml(button)}</button></form>`;
}

/**
 * Returns the script that tells the page around the frame what is wrong, as a RESIZE with the identifier `load-error`:
 * its payload may have fields of our own. `origin` is a partner's or `ANY_ORIGIN`, without characters that end a script.
 */
function reportScript(status: number, { origin, problem }: NonNullable<PlainPage["frame"]>): string {
  const fields = `status:${status},reason:${JSON.stringify(problem)}`;
  return `(({height,width})=>parent.postMessage(JSON.stringify({type:"RESIZE",payload:{identifier:"load-error",height:Math.ceil(height),width:Math.ceil(width),${fields}}}),${JSON.stringify(origin)}))(document.documentElement.getBoundingClientRect())`;
}
