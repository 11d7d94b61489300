const exact = new Set([
  "/",
  "/search",
  "/retailers",
  "/banner-closed",
  "/login",
  "/logout",
  "/profile",
  "/favourites",
  "/favourites/wanted",
  "/alerts/stop",
  "/unsubscribe",
  "/verification",
  "/verification/attachment",
  "/verification/work-email",
  "/carer-migration",
  "/pay",
  "/partners",
  "/check",
  "/digital-id",
  "/digital-id/device",
  "/digital-id/offline",
  "/offline",
  "/sw.js",
  "/redirect",
  "/faq",
  "/robots.txt",
  "/sitemap.xml",
  "/favicon.ico",
  "/apple-touch-icon.png",
  "/manifest.webmanifest",
  "/healthz",
  "/readyz",
  "/metrics",
]);
const withSlug = new Map([
  ["retailers", "/retailers/:slug"],
  ["offers", "/offers/:slug"],
  ["categories", "/categories/:slug"],
  ["faq", "/faq/*"],
  ["sitemaps", "/sitemaps/*"],
  ["verification", "/verification/*"],
  ["profile", "/profile/*"],
  ["assets", "/assets/*"],
  ["legal", "/legal/:page"],
  ["art", "/art/*"],
  ["brand", "/brand/*"],
  ["go", "/go/*"],
  ["webhooks", "/webhooks/*"],
  ["api", "/api/*"],
  ["frame", "/frame/*"],
  ["widget", "/widget/*"],
]);

/**
 * The pattern a path belongs to, for metrics and logs: a handful of values whatever is asked for, and never a secret
 * that stands in a path (webhooks). `path` is without a query.
 */
export function routePattern(path: string): string {
  const plain = path.endsWith(".data") ? path.slice(0, -".data".length) : path;
  if (exact.has(plain)) return plain;
  const end = plain.indexOf("/", 1);
  return end === -1 ? "other" : (withSlug.get(plain.slice(1, end)) ?? "other");
}
