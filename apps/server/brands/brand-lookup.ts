import type { Brand } from "@farthing/core/brands/brand.ts";

export interface BrandLookupOptions {
  /** The brand of a host without its port, or null. */
  findByHost(host: string): Promise<Brand | null>;
  /** Answers hosts of no brand; only in development, where the site is opened at whatever name the machine has. */
  findDefault?: (() => Promise<Brand | null>) | undefined;
  now?: () => number;
  keepMs?: number;
}

export type BrandLookup = (host: string) => Promise<Brand | null>;

/** Most hosts remembered; whoever sends more made-up ones has each looked up. */
const mostHosts = 500;

/** Which brand answers a host (product.md B1). Remembered for a few seconds: an operator's change shows soon, and requests cost no query. */
export function brandLookup({
  findByHost,
  findDefault,
  now = Date.now,
  keepMs = 5_000,
}: BrandLookupOptions): BrandLookup {
  const known = new Map<string, { until: number; brand: Promise<Brand | null> }>();
  return (host) => {
    const entry = known.get(host);
    if (entry && now() < entry.until) return entry.brand;
    const brand = find(host);
    if (known.size >= mostHosts) known.clear();
    known.set(host, { until: now() + keepMs, brand });
    brand.catch(() => known.delete(host)); // a failure is not an answer to keep; the caller gets it
    return brand;
  };

  async function find(host: string): Promise<Brand | null> {
    return (await findByHost(host)) ?? (await findDefault?.()) ?? null;
  }
}
