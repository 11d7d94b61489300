import type { Brand } from "./brand.ts";

/**
 * The origin that canonical links, sharing and sitemaps name: the brand's main host, on the scheme and port that the visitor used. Never a host
 * that the visitor made up, and one address for each page where a brand has several hosts.
 * @param origin scheme, host and port, as "http://localhost:3000"
 */
export function canonicalOrigin({ mainHost }: Pick<Brand, "mainHost">, origin: string): string {
  if (!mainHost) return origin;
  const { protocol, port } = new URL(origin);
  return `${protocol}//${mainHost}${port && `:${port}`}`;
}
