import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RateView } from "./catalogue-view.ts";
import { describeCap, describeRate, describeUsual, plusCashback, summariseRates } from "./rate-wording.ts";
import { bestRate, cashbackOn, lowestRate, rateAt, rateValue, type Boost, type RateTier } from "./rates.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const at = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000);

function percentTier(bp: number, boosts: Boost[] = [], capPence: number | null = null): RateTier {
  return {
    label: "Everything",
    basis: "on the price",
    rateKind: "percent",
    memberRateBp: bp,
    memberRatePence: null,
    capPence,
    boosts,
  };
}
function fixedTier(pence: number, boosts: Boost[] = [], capPence: number | null = null): RateTier {
  return { ...percentTier(0, boosts, capPence), rateKind: "fixed", memberRateBp: null, memberRatePence: pence };
}
function boost(bp: number | null, from: number, to: number, pence: number | null = null): Boost {
  return { memberRateBp: bp, memberRatePence: pence, startsAt: at(from), endsAt: at(to) };
}
function percent(rateBp: number, more: Partial<RateView> = {}): RateView {
  return {
    label: "",
    basis: "",
    capPence: null,
    boostedUntil: null,
    kind: "percent",
    rateBp,
    usualBp: rateBp,
    ...more,
  } as RateView;
}
function fixed(ratePence: number): RateView {
  return { label: "", basis: "", capPence: null, boostedUntil: null, kind: "fixed", ratePence, usualPence: ratePence };
}

describe("C5 a rate at a moment", () => {
  const tier = percentTier(400, [boost(600, -1, 1)]);
  test("C5 a boost applies from its start until just before its end", () => {
    expect(rateAt(tier, at(-1))).toMatchObject({ rateBp: 600, usualBp: 400, boostedUntil: at(1) });
    expect(rateAt(tier, new Date(at(1).getTime() - 1))).toMatchObject({ rateBp: 600 });
    expect(rateAt(tier, at(1))).toMatchObject({ rateBp: 400, usualBp: 400, boostedUntil: null });
    expect(rateAt(tier, new Date(at(-1).getTime() - 1))).toMatchObject({ rateBp: 400, boostedUntil: null });
  });
  test("C5 the highest of overlapping boosts applies, and of equal ones the longest", () => {
    const overlapping = percentTier(400, [boost(600, -2, 2), boost(900, -1, 1), boost(900, -1, 5)]);
    expect(rateAt(overlapping, NOON)).toMatchObject({ rateBp: 900, boostedUntil: at(5) });
  });
  test("C5 a boost of the other kind, or below the usual rate, changes nothing", () => {
    expect(rateAt(percentTier(400, [boost(null, -1, 1, 5_000)]), NOON)).toMatchObject({
      rateBp: 400,
      boostedUntil: null,
    });
    expect(rateAt(percentTier(400, [boost(300, -1, 1)]), NOON)).toMatchObject({ rateBp: 400, boostedUntil: null });
  });
  test("C5 a tier that pays nothing can be boosted", () => {
    expect(rateAt(percentTier(0, [boost(250, -1, 1)]), NOON)).toMatchObject({
      rateBp: 250,
      usualBp: 0,
      boostedUntil: at(1),
    });
  });
  test("C5 a fixed rate is read from the pence, boosted by pence, and never by a percentage", () => {
    const tier = fixedTier(2_000, [boost(null, -1, 1, 2_500), boost(9_999, -1, 5)], 3_000);
    const common = { kind: "fixed", label: "Everything", basis: "on the price", capPence: 3_000 };
    expect(rateAt(tier, NOON)).toEqual({ ...common, ratePence: 2_500, usualPence: 2_000, boostedUntil: at(1) });
    expect(rateAt(tier, at(1))).toEqual({ ...common, ratePence: 2_000, usualPence: 2_000, boostedUntil: null });
    expect(rateAt({ ...tier, memberRatePence: null, memberRateBp: 600, boosts: [] }, NOON)).toMatchObject({
      ratePence: 0,
    });
    expect(rateAt({ ...percentTier(600), memberRateBp: null, memberRatePence: 5 }, NOON)).toMatchObject({ rateBp: 0 });
  });
  test("C5 a boost to the usual rate has no effect, and one by a single basis point does", () => {
    expect(rateAt(percentTier(400, [boost(400, -1, 1)]), NOON)).toMatchObject({ rateBp: 400, boostedUntil: null });
    expect(rateAt(percentTier(400, [boost(401, -1, 1)]), NOON)).toMatchObject({ rateBp: 401, boostedUntil: at(1) });
    expect(rateAt(percentTier(-1, [boost(null, -1, 1)]), NOON)).toMatchObject({ rateBp: -1, boostedUntil: null });
  });
  test("C5 for any overlapping boosts in any order the highest applies, and of equal ones the longest", () => {
    const window = fc.tuple(
      fc.constantFrom(300, 400, 500, 600),
      fc.integer({ min: -3, max: 1 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(window, { maxLength: 6 }), fc.constantFrom("percent", "fixed"), (windows, kind) => {
        const isPercent = kind === "percent";
        // Those of the other kind are not for this tier.
        const boosts = windows.map(([rate, from, hours, isOwn]) =>
          isOwn === isPercent ? boost(rate, from, from + hours) : boost(null, from, from + hours, rate),
        );
        const holding = windows
          .filter(([rate, from, hours, isOwn]) => isOwn && rate > 400 && from <= 0 && from + hours > 0)
          .map(([rate, from, hours]) => [rate, from + hours] as const)
          .sort(([a, aEnds], [b, bEnds]) => b - a || bEnds - aEnds);
        const [best] = holding;
        const rate = rateAt(isPercent ? percentTier(400, boosts) : fixedTier(400, boosts), NOON);
        expect({ kind: rate.kind, value: rateValue(rate), boostedUntil: rate.boostedUntil }).toEqual({
          kind,
          value: best?.[0] ?? 400,
          boostedUntil: best ? at(best[1]) : null,
        });
      }),
      { numRuns: 1_000 },
    );
  });
  test("C5 no boost ever lowers a rate", () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }))),
        (usual, boosts) => {
          const rate = rateAt(
            percentTier(
              usual,
              boosts.map(([bp, from, hours]) => boost(bp, from, from + hours)),
            ),
            NOON,
          );
          return rate.kind === "percent" && rate.rateBp >= usual && rate.usualBp === usual;
        },
      ),
    );
  });
});

test("C5 a purchase earns its rate rounded down to the penny, and never more than the cap", () => {
  expect(cashbackOn(percent(750), 1_999)).toBe(149);
  expect(cashbackOn(percent(750, { capPence: 100 }), 1_999)).toBe(100);
  expect(cashbackOn(fixed(2_500), 1_999)).toBe(2_500);
});

test("C5 only rates of the kind that a retailer leads with are compared, never 6 % with £25", () => {
  const rates = [percent(200), fixed(2_500), percent(600)];
  expect(bestRate(rates)).toMatchObject({ rateBp: 600 });
  expect(lowestRate(rates)).toMatchObject({ rateBp: 200 });
  expect(bestRate([percent(0), fixed(2_500)])).toMatchObject({ ratePence: 2_500 });
  expect(bestRate([percent(0)])).toBeNull();
  // Of equals the first speaks, whose label is shown.
  const equals = [percent(600, { label: "a" }), percent(600, { label: "b" })];
  expect({ best: bestRate(equals)?.label, lowest: lowestRate(equals)?.label }).toEqual({ best: "a", lowest: "a" });
  expect(lowestRate([percent(0), percent(600)])).toEqual(percent(0));
  expect(lowestRate([])).toBeNull();
  expect(bestRate([])).toBeNull();
});

test("O7 the highest tier is named only together with the lowest, and after it", () => {
  const words = (rates: RateView[]) => summariseRates({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) });
  expect(words([percent(600)])).toBe("6% cashback");
  expect(words([percent(200), percent(600)])).toBe("2% to 6% cashback");
  expect(words([percent(600), percent(600)])).toBe("6% cashback");
  expect(words([percent(0), percent(600)])).toBe("0% to 6% cashback");
  expect(words([fixed(2_500)])).toBe("£25 cashback");
  expect(words([fixed(2_550), fixed(500)])).toBe("£5 to £25.50 cashback");
  expect(words([])).toBeNull();
});

test("O7 cashback beside an offer is said in the words of the rate, and nothing is said where none is paid", () => {
  const words = (rates: RateView[]) => plusCashback({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) });
  expect(words([percent(600)])).toBe("plus 6% cashback");
  expect(words([fixed(2_500)])).toBe("plus £25 cashback");
  expect(words([percent(200), percent(600)])).toBe("plus 2% to 6% cashback");
  expect(words([percent(0)])).toBeNull();
  expect(words([])).toBeNull();
});

test("O7 a single rate is described with its cap and the usual rate", () => {
  expect(describeRate(percent(0))).toBe("No cashback");
  expect(describeRate(percent(750))).toBe("7.5% cashback");
  expect(describeCap(percent(750, { capPence: 5_000 }))).toBe("at most £50 a purchase");
  expect(describeCap(percent(750))).toBeNull();
  expect(describeUsual(rateAt(percentTier(400, [boost(600, -1, 1)]), NOON))).toBe("usually 4%");
  expect(describeUsual(percent(400))).toBeNull();
});
