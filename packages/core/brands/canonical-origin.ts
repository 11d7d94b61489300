import type { Brand } from "./brand.ts";

/**
 * Returns the origin for canonical links, sharing and sitemaps: the brand's main host, with the scheme and port of the visitor's request. It never
 * contains a host that the visitor made up, and each page has one canonical URL even if the brand has several hosts.
 * @param origin scheme, host and port, for example "http://localhost:3000"
 */
export function canonicalOrigin({ mainHost }: Pick<Brand, "mainHost">, origin: string): string {
  if (!mainHost) return origin;
  const { protocol, port } = new URL(origin);
  return `${protocol}//${mainHost}${port && `:${port}`}`;
}
