import { describe, expect, test } from "vitest";
import { toScorecard as judge, type ScorecardCounts } from "./rules.ts";

const counts = { purchases: 30, trackedInTime: 29, decided: 30, declined: 1, medianConfirmDays: 44 };

const toScorecard = (of: ScorecardCounts | null) => judge(of, { sample: 30 });

describe("D3 a retailer's scorecard", () => {
  test("D3 a scorecard is hidden below 30 purchases", () => {
    expect(toScorecard(null)).toBeNull();
    expect(toScorecard({ ...counts, purchases: 29 })).toBeNull();
    expect(toScorecard(counts)).not.toBeNull();
  });

  test("D3 rounds purchases in time down and declined purchases up", () => {
    expect(toScorecard(counts)).toEqual({
      purchases: 30,
      trackedInTimePercent: 96,
      declinedPercent: 4,
      medianConfirmDays: 44,
    });
  });

  test("D3 a scorecard has no figures on decisions below 30 decisions", () => {
    expect(toScorecard({ ...counts, decided: 29 })).toMatchObject({ declinedPercent: null, medianConfirmDays: null });
  });
});
