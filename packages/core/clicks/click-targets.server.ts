import type { Db } from "@farthing/db/client.ts";
import { LRUCache } from "lru-cache";
import { findOfferTarget, findRetailerTarget, type ClickTargetFinding } from "./queries.server.ts";

export interface ClickTargets {
  ofOffer(wanted: {
    brandId: string;
    publicId: string;
    variantPublicId: string | null;
    now: Date;
  }): Promise<ClickTargetFinding>;
  ofRetailer(wanted: { brandId: string; slug: string; now: Date }): Promise<ClickTargetFinding>;
  /** Number of cached targets. */
  readonly size: number;
}

const MAX_KEY_LENGTH = 500;

/**
 * Caches the targets of clicks for a second: a popular offer is read once a second, however many members follow it, and an operator's change takes
 * effect within a second. Boosts and an offer's dates are cached with it and checked at each click, so they are exact to the millisecond.
 */
export function createClickTargets({
  db,
  keepMs = 1_000,
  max = 5_000,
  clock = () => performance.now(),
}: {
  db: Db;
  keepMs?: number;
  max?: number;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}): ClickTargets {
  const known = new LRUCache<string, Promise<ClickTargetFinding>>({
    max,
    ttl: keepMs,
    ttlResolution: 0,
    perf: { now: clock },
  });

  function remember(key: string, find: () => Promise<ClickTargetFinding>): Promise<ClickTargetFinding> {
    // No id or slug of ours is that long: it is looked up without taking space in the cache.
    if (key.length > MAX_KEY_LENGTH) return find();
    const kept = known.get(key);
    if (kept) return kept;
    const finding = find();
    known.set(key, finding);
    // A failure is returned to the callers that wait for it, and not cached.
    finding.catch(() => known.delete(key));
    return finding;
  }

  return {
    async ofOffer({ brandId, publicId, variantPublicId, now }) {
      const key = JSON.stringify(["offer", brandId, publicId, variantPublicId]);
      const find = () => findOfferTarget(db, { brandId, publicId, variantPublicId, now });
      const finding = await remember(key, find);
      const dates = finding.outcome === "found" ? finding.target : finding.outcome === "unknown" ? null : finding.dates;
      if (!dates || isOpen(dates, now) === (finding.outcome !== "closed")) return finding;
      // The offer has begun or ended since it was cached.
      known.delete(key);
      return remember(key, find);
    },
    ofRetailer: ({ brandId, slug }) =>
      remember(JSON.stringify(["retailer", brandId, slug]), () => findRetailerTarget(db, { brandId, slug })),
    get size() {
      return known.size;
    },
  };
}

function isOpen({ startsAt, endsAt }: { startsAt: Date | null; endsAt: Date | null }, now: Date): boolean {
  return (!startsAt || startsAt <= now) && (!endsAt || endsAt > now);
}
