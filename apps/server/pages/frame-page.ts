import { readFramePath } from "@farthing/core/partners/rules.ts";
import { mayBeFramed } from "@farthing/site/server/framing.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import type { SiteHandler } from "./site-pages.ts";

const mostRedirects = 3;

/** Headers of every answer inside a partner's frame (reference/widget.md, clickjacking and token leaks). Its policy says who may frame it. */
export function forFrame(headers: Headers): void {
  headers.delete("X-Frame-Options");
  headers.set("Cache-Control", "no-store");
  headers.set("Referrer-Policy", "no-referrer");
}

/**
 * The site's page at `path`, for a request that asked for another address: read, as a stranger (no cookies), following the site's own redirects. Null where
 * these leave the site, or for a page that is never shown in a frame.
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
  for (let followed = 0; followed <= mostRedirects; followed += 1) {
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
 * Adds a first script that puts `path` into the address, in place of /redirect and its token: before any other script, so that the router finds itself
 * where it was rendered, and nothing on the page can read the token.
 */
export async function putAddress(answer: Response, nonce: string, path: string): Promise<Response> {
  if (!answer.headers.get("content-type")?.startsWith("text/html") || answer.body === null) return answer;
  const html = await answer.text();
  const start = /<head(?:\s[^>]*)?>/i.exec(html);
  const at = start ? start.index + start[0].length : 0;
  // A path is visible ASCII, but "</script>" is that too.
  const literal = JSON.stringify(path).replaceAll("<", String.raw`\u003c`);
  const script = `<script nonce="${nonce}">history.replaceState(history.state,"",${literal});document.currentScript.remove()</script>`;
  return new Response(html.slice(0, at) + script + html.slice(at), { status: answer.status, headers: answer.headers });
}
