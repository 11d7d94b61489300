import type { Brand } from "@farthing/core/brands/brand.ts";
import { LRUCache } from "lru-cache";

export interface BrandLookupOptions {
  /** The brand of a host without its port, or null. */
  findByHost(host: string): Promise<Brand | null>;
  /** Answers hosts of no brand; only in development, where the site is opened at whatever name the machine has. */
  findDefault?: (() => Promise<Brand | null>) | undefined;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  keepMs?: number;
}

export type BrandLookup = (host: string) => Promise<Brand | null>;

/** Whoever sends more made-up hosts has each looked up; those that are asked for stay. */
const maxHosts = 500;

/** Which brand answers a host (product.md B1). Remembered for a few seconds: an operator's change shows soon, and requests cost no query. */
export function brandLookup({
  findByHost,
  findDefault,
  now = () => performance.now(),
  keepMs = 5_000,
}: BrandLookupOptions): BrandLookup {
  const known = new LRUCache<string, Promise<Brand | null>>({
    max: maxHosts,
    ttl: keepMs,
    ttlResolution: 0,
    perf: { now },
  });
  return (host) => {
    const kept = known.get(host);
    if (kept) return kept;
    const brand = find(host);
    known.set(host, brand);
    brand.catch(() => known.delete(host)); // a failure is not an answer to keep; the caller gets it
    return brand;
  };

  async function find(host: string): Promise<Brand | null> {
    return (await findByHost(host)) ?? (await findDefault?.()) ?? null;
  }
}
