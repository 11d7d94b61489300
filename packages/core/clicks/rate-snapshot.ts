import { z } from "zod";
import type { RateTier } from "../catalogue/rates.ts";
import { rateAt } from "../catalogue/rates.ts";

/**
 * What was promised at the click, kept with it for good (product.md C5): the rates with their boosts resolved at that moment, and when
 * the money was to arrive. Cashback is worked out from this and never from today's catalogue.
 */
const frozenRate = z.object({
  groupId: z.string(),
  label: z.string(),
  basis: z.string(),
  capPence: z.int().nullable(),
  boostedUntil: z.iso.datetime().nullable(),
});

export const rateSnapshotSchema = z.object({
  offerTitle: z.string().nullable(),
  /** The part of a commission that goes to the member where no rate names its group. */
  memberShareBp: z.int().min(0).max(10_000),
  rates: z.array(
    z.discriminatedUnion("kind", [
      frozenRate.extend({ kind: z.literal("percent"), rateBp: z.int(), usualBp: z.int() }),
      frozenRate.extend({ kind: z.literal("fixed"), ratePence: z.int(), usualPence: z.int() }),
    ]),
  ),
  tracking: z.object({
    tracksWithinDays: z.object({ min: z.int(), max: z.int() }),
    confirmsWithinDays: z.object({ min: z.int(), max: z.int() }),
    confirmsAfter: z.enum(["purchase", "travel", "stay"]),
  }),
});

export type RateSnapshot = z.infer<typeof rateSnapshotSchema>;
export type FrozenRate = RateSnapshot["rates"][number];

export interface FreezableTier extends RateTier {
  /** The network's commission group that this tier pays for. */
  groupId: string;
}

/** What may be frozen: the rates with all their boosts, and the rest of what is promised. */
export interface Freezable {
  tiers: readonly FreezableTier[];
  offerTitle: string | null;
  memberShareBp: number;
  tracking: RateSnapshot["tracking"];
}

const taken = new WeakMap<Freezable, { snapshot: RateSnapshot; from: number; until: number }>();

/**
 * Freezes the rates as they hold at `moment`. Until a boost starts or ends the same promise gives the same object, so that a thousand
 * clicks on one link make one snapshot.
 */
export function takeRateSnapshot(promise: Freezable, moment: Date): RateSnapshot {
  const at = moment.getTime();
  const known = taken.get(promise);
  if (known && known.from <= at && at < known.until) return known.snapshot;
  const changes = promise.tiers.flatMap(({ boosts }) =>
    boosts.flatMap((boost) => [boost.startsAt.getTime(), boost.endsAt.getTime()]),
  );
  const snapshot = freeze(promise, moment);
  taken.set(promise, {
    snapshot,
    from: Math.max(...changes.filter((change) => change <= at), -Infinity),
    until: Math.min(...changes.filter((change) => change > at), Infinity),
  });
  return snapshot;
}

function freeze(promise: Freezable, moment: Date): RateSnapshot {
  return {
    offerTitle: promise.offerTitle,
    memberShareBp: promise.memberShareBp,
    rates: promise.tiers.map((tier) => {
      const rate = rateAt(tier, moment);
      return { ...rate, groupId: tier.groupId, boostedUntil: rate.boostedUntil?.toISOString() ?? null };
    }),
    tracking: promise.tracking,
  };
}
