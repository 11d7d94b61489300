import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Boost } from "../catalogue/rates.ts";
import { TRACKING } from "./clicks.testing.ts";
import { rateSnapshotSchema, takeRateSnapshot, type Freezable } from "./rate-snapshot.ts";

const NOON = new Date("2026-11-20T12:00:00Z").getTime();
const at = (ms: number) => new Date(NOON + ms);
const boost = (bp: number, from: number, to: number): Boost => ({
  memberRateBp: bp,
  memberRatePence: null,
  startsAt: at(from),
  endsAt: at(to),
});

/** A promise of 4 % and its boosts, one tier each list. A new object has no snapshot yet. */
function promise(...tiers: Boost[][]): Freezable {
  return {
    offerTitle: "Cashback on everything",
    memberShareBp: 7000,
    tracking: TRACKING,
    tiers: tiers.map((boosts, index) => ({
      groupId: String(index),
      label: "Everything",
      basis: "on the price",
      rateKind: "percent",
      memberRateBp: 400,
      memberRatePence: null,
      capPence: 2_000,
      boosts,
    })),
  };
}
const rates = (frozen: Freezable, ms: number) =>
  takeRateSnapshot(frozen, at(ms)).rates.map((rate) => rate.kind === "percent" && rate.rateBp);

describe("C5 the rate frozen at a click is the rate of that moment, whatever clicks came before", () => {
  // Each pair of moments, in both orders, on one promise: the second is answered from what the first has left, or not.
  const moments = [-2, -1, 0, 1, 4, 5, 6];
  const expected = new Map(moments.map((ms) => [ms, ms >= 0 && ms < 5 ? 600 : 400]));
  test.each(moments.flatMap((first) => moments.map((second) => [first, second] as const)))(
    "C5 a boost from 0 ms to 5 ms: a click at %i ms, then one at %i ms",
    (first, second) => {
      const frozen = promise([boost(600, 0, 5)]);
      expect(rates(frozen, first)).toEqual([expected.get(first)]);
      expect(rates(frozen, second)).toEqual([expected.get(second)]);
      expect(takeRateSnapshot(frozen, at(second)).rates[0]?.boostedUntil).toBe(
        expected.get(second) === 600 ? at(5).toISOString() : null,
      );
    },
  );

  test("C5 for any boosts and moments, including their ends, the cached snapshot equals a fresh one", () => {
    const window = fc
      .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 4 }))
      .map(([bp, from, lasts]) => boost(bp, from, from + lasts));
    const tiers = fc.array(fc.array(window, { maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(tiers, fc.array(fc.integer({ min: -1, max: 13 }), { minLength: 2, maxLength: 12 }), (all, clicks) => {
        const frozen = promise(...all);
        for (const ms of clicks)
          expect(takeRateSnapshot(frozen, at(ms))).toEqual(takeRateSnapshot(promise(...all), at(ms)));
      }),
    );
  });

  test("C5 a thousand clicks between two changes share one snapshot, and a promise without boosts has one only", () => {
    const frozen = promise([boost(600, 0, 5)]);
    const first = takeRateSnapshot(frozen, at(0));
    for (const ms of [0, 1, 4]) expect(takeRateSnapshot(frozen, at(ms))).toBe(first);
    expect(takeRateSnapshot(frozen, at(5))).not.toBe(first);
    const plain = promise([]);
    expect(takeRateSnapshot(plain, at(0))).toBe(takeRateSnapshot(plain, at(1_000_000)));
  });

  test("C5 two promises have separate snapshots, which contain everything promised", () => {
    const [one, other] = [promise([]), { ...promise([boost(900, 0, 5)], []), offerTitle: null }];
    takeRateSnapshot(one, at(0));
    expect(takeRateSnapshot(other, at(0))).toEqual({
      offerTitle: null,
      memberShareBp: 7000,
      tracking: TRACKING,
      rates: [
        {
          ...{ kind: "percent", label: "Everything", basis: "on the price", groupId: "0", capPence: 2_000 },
          ...{ rateBp: 900, usualBp: 400, boostedUntil: at(5).toISOString() },
        },
        {
          ...{ kind: "percent", label: "Everything", basis: "on the price", groupId: "1", capPence: 2_000 },
          ...{ rateBp: 400, usualBp: 400, boostedUntil: null },
        },
      ],
    });
    expect(rateSnapshotSchema.parse(takeRateSnapshot(other, at(0)))).toEqual(takeRateSnapshot(other, at(0)));
  });
});

test("C5 snapshots of either kind and of every confirmsAfter parse; anything else is refused", () => {
  const frozen = takeRateSnapshot(promise([]), at(0));
  const common = { label: "", basis: "", groupId: "1", capPence: null, boostedUntil: null };
  const fixed = { ...common, kind: "fixed", ratePence: 500, usualPence: 500 };
  for (const confirmsAfter of ["purchase", "travel", "stay"]) {
    const kept = { ...frozen, rates: [...frozen.rates, fixed], tracking: { ...frozen.tracking, confirmsAfter } };
    expect(rateSnapshotSchema.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  }
  const isRead = (changes: object) => rateSnapshotSchema.safeParse({ ...frozen, ...changes }).success;
  expect(isRead({ tracking: { ...frozen.tracking, confirmsAfter: "never" } })).toBe(false);
  expect(isRead({ rates: [{ ...fixed, kind: "gift" }] })).toBe(false);
  expect(isRead({ rates: [{ ...fixed, ratePence: 0.5 }] })).toBe(false);
  expect([0, 10_000, -1, 10_001].map((memberShareBp) => isRead({ memberShareBp }))).toEqual([true, true, false, false]);
});
