import type { Db } from "@farthing/db/client.ts";
import { findOfferTarget, findRetailerTarget, type ClickTargetFinding } from "./queries.server.ts";

export interface ClickTargets {
  ofOffer(wanted: {
    brandId: string;
    publicId: string;
    variantPublicId: string | null;
    now: Date;
  }): Promise<ClickTargetFinding>;
  ofRetailer(wanted: { brandId: string; slug: string; now: Date }): Promise<ClickTargetFinding>;
}

/**
 * Targets of clicks, remembered for a second: a popular offer is looked up once a second however many follow it, and an operator's
 * change holds a second later. Boosts and an offer's own dates are kept with it and decided at each click, so they hold to the moment.
 */
export function createClickTargets({
  db,
  keepMs = 1_000,
  most = 5_000,
}: {
  db: Db;
  keepMs?: number;
  most?: number;
}): ClickTargets {
  const known = new Map<string, { until: number; finding: Promise<ClickTargetFinding> }>();

  function remember(key: string, find: () => Promise<ClickTargetFinding>): Promise<ClickTargetFinding> {
    const hit = known.get(key);
    const now = performance.now();
    if (hit && hit.until > now) return hit.finding;
    if (known.size >= most) known.clear();
    const finding = find();
    known.set(key, { until: now + keepMs, finding });
    // A fault is answered to those who wait for it now, and not remembered.
    finding.catch(() => known.delete(key));
    return finding;
  }

  return {
    async ofOffer({ brandId, publicId, variantPublicId, now }) {
      const finding = await remember(JSON.stringify(["offer", brandId, publicId, variantPublicId]), () =>
        findOfferTarget(db, { brandId, publicId, variantPublicId, now }),
      );
      if (finding.outcome !== "found") return finding;
      const { startsAt, endsAt } = finding.target;
      const isOpen = (!startsAt || startsAt <= now) && (!endsAt || endsAt > now);
      // Over since it was remembered: look again, which says so with the offer's address.
      return isOpen ? finding : findOfferTarget(db, { brandId, publicId, variantPublicId, now });
    },
    ofRetailer: ({ brandId, slug }) =>
      remember(JSON.stringify(["retailer", brandId, slug]), () => findRetailerTarget(db, { brandId, slug })),
  };
}
