import { pageEntries } from "@farthing/site/pages.ts";
import { findPage, withoutData } from "@farthing/site/server/find-page.ts";

/** Paths that are their own pattern: pages without a parameter, and the server's own. */
const exact = new Set([
  ...pageEntries.map(([path]) => path).filter((path) => !/[:*]/.test(path)),
  "/admin",
  "/sw.js",
  "/redirect",
  "/acting",
  "/acting/stop",
  "/robots.txt",
  "/sitemap.xml",
  "/favicon.ico",
  "/apple-touch-icon.png",
  "/manifest.webmanifest",
  "/healthz",
  "/readyz",
  "/metrics",
]);

/** The server's own paths by their first segment. Only the segment is shown: a webhook's path holds a secret. */
const byStart = new Map(
  ["sitemaps", "assets", "art", "brand", "go", "webhooks", "api", "widget", "admin"].map((start) => [
    start,
    `/${start}/*`,
  ]),
);

/**
 * Returns the pattern that a path belongs to, for metrics and logs: a page's path in pages.ts, `/<segment>/*` for the
 * server's own addresses, or "other". The number of patterns is fixed, and none holds a secret. `path` has no query.
 */
export function routePattern(path: string): string {
  const plain = path.endsWith(".data") ? withoutData(path) || "/" : path;
  if (exact.has(plain)) return plain;
  const end = plain.indexOf("/", 1);
  const own = end === -1 ? undefined : byStart.get(plain.slice(1, end));
  return own ?? findPage(plain)?.page ?? "other";
}
