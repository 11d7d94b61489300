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
  /** Targets remembered. */
  readonly size: number;
}

const longestKey = 500;

/**
 * Targets of clicks, remembered for a second: a popular offer is looked up once a second however many follow it, and an operator's
 * change holds a second later. Boosts and an offer's own dates are kept with it and decided at each click, so they hold to the millisecond.
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
    // No id or slug of ours is that long: it is looked up, and takes no room.
    if (key.length > longestKey) return find();
    const kept = known.get(key);
    if (kept) return kept;
    const finding = find();
    known.set(key, finding);
    // A fault is answered to those who wait for it now, and not remembered.
    finding.catch(() => known.delete(key));
    return finding;
  }

  return {
    async ofOffer({ brandId, publicId, variantPublicId, now }) {
      const key = JSON.stringify(["offer", brandId, publicId, variantPublicId]);
      const find = () => findOfferTarget(db, { brandId, publicId, variantPublicId, now });
      const finding = await remember(key, find);
      const dates = finding.outcome === "found" ? finding.target : finding.outcome === "closed" ? finding.dates : null;
      if (!dates || isOpen(dates, now) === (finding.outcome === "found")) return finding;
      // It has begun or ended since it was remembered.
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
