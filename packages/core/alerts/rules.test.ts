import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RateView } from "../catalogue/catalogue-view.ts";
import { judgeAlert, type AlertRates } from "./rules.ts";

function percent(rateBp: number): RateView {
  return { kind: "percent", rateBp, usualBp: rateBp, label: "All", basis: "", capPence: null, boostedUntil: null };
}
const fixed: RateView = {
  kind: "fixed",
  ratePence: 2500,
  usualPence: 2500,
  label: "New",
  basis: "",
  capPence: null,
  boostedUntil: null,
};
const asked: AlertRates = { rateKind: "percent", askedValue: 500, knownValue: 500 };

/** Returns the values that are announced while the rate goes through `values`. */
function told(values: readonly number[]): number[] {
  let alert = asked;
  return values.flatMap((value) => {
    const verdict = judgeAlert(alert, percent(value));
    if (verdict.outcome !== "none") alert = verdict.rates;
    return verdict.outcome === "rise" ? [value] : [];
  });
}

describe("D10 an alert for a rate", () => {
  test("D10 announces a rise once, a higher one again, and a new one after a fall", () => {
    expect(told([500, 800, 800, 800])).toEqual([800]);
    expect(told([800, 900])).toEqual([800, 900]);
    expect(told([800, 500, 800])).toEqual([800, 800]);
    expect(told([800, 600, 700])).toEqual([800, 700]);
  });

  test("D10 announces neither falls nor a return to the rate at the start", () => {
    expect(told([400, 300, 500, 0, 500])).toEqual([]);
    expect(judgeAlert(asked, null)).toEqual({ outcome: "none" });
  });

  test("D10 does not compare percent with pounds: the alert starts again", () => {
    const verdict = judgeAlert(asked, fixed);
    expect(verdict).toEqual({ outcome: "follow", rates: { rateKind: "fixed", askedValue: 2500, knownValue: 2500 } });
  });

  test("D10 the first rate of a retailer that had none is announced, in percent or in pounds", () => {
    const none = { rateKind: "percent", askedValue: 0, knownValue: 0 } as const;
    expect(judgeAlert(none, fixed)).toEqual({
      outcome: "rise",
      rates: { rateKind: "fixed", askedValue: 0, knownValue: 2500 },
    });
    expect(judgeAlert(none, percent(100))).toEqual({ outcome: "rise", rates: { ...none, knownValue: 100 } });
  });

  test("D10 every announced rate is above the rate at the start and above the one before", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 30 }), (values) => {
        let before = 500;
        let alert = asked;
        for (const value of values) {
          const verdict = judgeAlert(alert, percent(value));
          if (verdict.outcome !== "none") alert = verdict.rates;
          if ((verdict.outcome === "rise") !== value > Math.max(before, 500)) return false;
          before = value;
        }
        return true;
      }),
    );
  });
});
