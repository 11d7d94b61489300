import type { DemoKind, KnownOffer } from "./known-offers.ts";

/** Shares of all offers, in percent. */
export const kindShares: Readonly<Record<DemoKind, number>> = { code: 45, deal: 30, pool: 10, in_store: 10, app: 5 };

/**
 * Chooses the kind that is furthest behind its share, so that the shares hold for the whole catalogue although, for example, a broadband company has no
 * shops.
 */
export class KindMix {
  private readonly given: Record<DemoKind, number> = { code: 0, deal: 0, pool: 0, in_store: 0, app: 0 };
  private total = 0;

  constructor(known: readonly KnownOffer[]) {
    for (const offer of known) this.count(offer.kind);
  }

  next(hasStores: boolean): DemoKind {
    let furthest: DemoKind = "code";
    let maxBehind = -Infinity;
    for (const kind of Object.keys(kindShares) as DemoKind[]) {
      if (kind === "in_store" && !hasStores) continue;
      const behind = (kindShares[kind] * (this.total + 1)) / 100 - this.given[kind];
      if (behind > maxBehind) [furthest, maxBehind] = [kind, behind];
    }
    this.count(furthest);
    return furthest;
  }

  private count(kind: DemoKind): void {
    this.given[kind] += 1;
    this.total += 1;
  }
}
