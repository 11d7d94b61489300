import type { Brand } from "@farthing/core/brands/brand.ts";
import { LRUCache } from "lru-cache";

export interface BrandLookupOptions {
  /** Returns the brand of a host (without port), or null. */
  findByHost(host: string): Promise<Brand | null>;
  /** Answers hosts that no brand has. Only in development, where the site is opened at any name of the machine. */
  findDefault?: (() => Promise<Brand | null>) | undefined;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  keepMs?: number;
}

export interface BrandLookup {
  (host: string): Promise<Brand | null>;
  /** Reads every brand anew from now on. */
  forget?(): void;
}

/** Bounds the cache against made-up hosts. The least recently used are dropped. */
const MAX_HOSTS = 500;

/**
 * Finds the brand of a host (B1). Cached for a few seconds, so requests cost no query. A change is announced
 * (pages/watch-site-content.ts), and shows within those seconds where the announcement is lost.
 */
export function brandLookup({
  findByHost,
  findDefault,
  now = () => performance.now(),
  keepMs = 5_000,
}: BrandLookupOptions): BrandLookup {
  const known = new LRUCache<string, Promise<Brand | null>>({
    max: MAX_HOSTS,
    ttl: keepMs,
    ttlResolution: 0,
    perf: { now },
  });
  const lookup: BrandLookup = (host) => {
    const kept = known.get(host);
    if (kept) return kept;
    const brand = find(host);
    known.set(host, brand);
    brand.catch(() => known.delete(host)); // Failures are not cached. The caller gets this one.
    return brand;
  };
  lookup.forget = () => known.clear();
  return lookup;

  async function find(host: string): Promise<Brand | null> {
    return (await findByHost(host)) ?? (await findDefault?.()) ?? null;
  }
}
