import { z } from "zod";
import type { RateTier } from "../catalogue/rates.ts";
import { rateAt } from "../catalogue/rates.ts";

const frozenRate = z.object({
  groupId: z.string(),
  label: z.string(),
  basis: z.string(),
  capPence: z.int().nullable(),
  boostedUntil: z.iso.datetime().nullable(),
});

/**
 * What is promised at a click (C5): the rates, with boosts resolved at that moment, and when the money should arrive. It is stored with the click and
 * never changes; cashback is worked out from it, not from the current catalogue.
 */
export const rateSnapshotSchema = z.object({
  offerTitle: z.string().nullable(),
  /** The part of a commission that the member gets where no rate is for its group. */
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

/** What a snapshot is taken of: the rates with all their boosts, and the other promises. */
export interface Freezable {
  tiers: readonly FreezableTier[];
  offerTitle: string | null;
  memberShareBp: number;
  tracking: RateSnapshot["tracking"];
}

const taken = new WeakMap<Freezable, { snapshot: RateSnapshot; from: number; until: number }>();

/**
 * Returns a snapshot of the rates at `moment`. The same promise returns the same object until a boost starts or ends, so that a thousand clicks on
 * one link share one snapshot.
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
