import { readFramePath } from "@farthing/core/partners/rules.ts";
import { mayBeFramed } from "@farthing/site/server/framing.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { FRAME_HEADERS } from "../http/security-headers.ts";
import type { SiteHandler } from "./site-handler.ts";

const MAX_REDIRECTS = 3;

/**
 * Sets the headers of every answer inside a partner's frame, against clickjacking and leaks of tokens (W9). Its policy
 * says who may frame it. A partner's page with Cross-Origin-Embedder-Policy shows only frames that have one too and
 * that allow other origins (HTML, "COEP"); our pages load nothing of other origins, so the policy costs them nothing.
 */
export function forFrame(headers: Headers): void {
  headers.delete("X-Frame-Options");
  for (const [name, value] of Object.entries(FRAME_HEADERS)) headers.set(name, value);
}

/**
 * Renders the site's page at `path` for a request to another address, without its cookies, following the site's own
 * redirects. Returns null if these leave the site, or if the page is never shown in a frame.
 */
export async function renderInPlace(
  site: SiteHandler,
  request: Request,
  visit: Visit,
  path: string,
): Promise<{ answer: Response; path: string } | null> {
  const headers = new Headers({ host: visit.origin.slice(visit.origin.indexOf("//") + 2) });
  for (const name of ["accept", "accept-language", "user-agent"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  let at = path;
  for (let followed = 0; followed <= MAX_REDIRECTS; followed += 1) {
    if (!mayBeFramed(at)) return null;
    const answer = await site(new Request(visit.origin + at, { headers, signal: request.signal }), visit);
    if (answer.status < 300 || answer.status > 399) return { answer, path: at };
    const next = readFramePath(answer.headers.get("location"));
    if (next === null) return null;
    at = next;
  }
  return null;
}

/**
 * Adds a script that replaces /redirect and its token in the address with `path`. It is the first script of the page,
 * so that the router starts at the path it was rendered for and nothing on the page can read the token.
 */
export async function putAddress(answer: Response, nonce: string, path: string): Promise<Response> {
  if (!answer.headers.get("content-type")?.startsWith("text/html") || answer.body === null) return answer;
  const html = await answer.text();
  const start = /<head(?:\s[^>]*)?>/i.exec(html);
  const at = start ? start.index + start[0].length : 0;
  // A path is visible ASCII, and so is "</script>".
  const literal = JSON.stringify(path).replaceAll("<", String.raw`\u003c`);
  const script = `<script nonce="${nonce}">history.replaceState(history.state,"",${literal});document.currentScript.remove()</script>`;
  return new Response(html.slice(0, at) + script + html.slice(at), { status: answer.status, headers: answer.headers });
}
