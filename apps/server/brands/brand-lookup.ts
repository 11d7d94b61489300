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
  staleMs?: number;
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
 * (pages/watch-site-content.ts), and shows within those seconds where the announcement is lost. While the database does not answer, the last
 * brand found is returned for up to an hour, so that the page that says so keeps the brand's look.
 */
export function brandLookup({
  findByHost,
  findDefault,
  now = () => performance.now(),
  keepMs = 5_000,
  staleMs = 3_600_000,
}: BrandLookupOptions): BrandLookup {
  const kept = (ttl: number) => ({ max: MAX_HOSTS, ttl, ttlResolution: 0, perf: { now } });
  const known = new LRUCache<string, Promise<Brand | null>>(kept(keepMs));
  const found = new LRUCache<string, Brand>(kept(staleMs));
  const lookup: BrandLookup = (host) => {
    const brand = known.get(host);
    if (brand) return brand;
    const finding = find(host).then(
      (answer) => {
        if (known.peek(host) === finding) remember(host, answer);
        return answer;
      },
      (error: unknown) => {
        const last = found.get(host);
        if (last === undefined) throw error;
        return last;
      },
    );
    known.set(host, finding);
    finding.catch(() => known.delete(host)); // Failures are not cached. The caller gets this one.
    return finding;
  };
  lookup.forget = () => {
    known.clear();
    found.clear();
  };
  return lookup;

  function remember(host: string, brand: Brand | null): void {
    if (brand) found.set(host, brand);
    else found.delete(host);
  }

  async function find(host: string): Promise<Brand | null> {
    return (await findByHost(host)) ?? (await findDefault?.()) ?? null;
  }
}
