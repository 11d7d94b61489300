import { describe, expect, it } from "vitest";
import { toScorecard } from "./rules.ts";

const counts = { purchases: 30, trackedInTime: 29, decided: 30, declined: 1, medianConfirmDays: 44 };

describe("D3 a retailer's scorecard", () => {
  it("D3 is hidden below 30 purchases", () => {
    expect(toScorecard(null)).toBeNull();
    expect(toScorecard({ ...counts, purchases: 29 })).toBeNull();
    expect(toScorecard(counts)).not.toBeNull();
  });

  it("D3 never flatters: what came in time is rounded down, what was declined up", () => {
    expect(toScorecard(counts)).toEqual({
      purchases: 30,
      trackedInTimePercent: 96,
      declinedPercent: 4,
      medianConfirmDays: 44,
    });
  });

  it("D3 says nothing about decisions while fewer than 30 are made", () => {
    expect(toScorecard({ ...counts, decided: 29 })).toMatchObject({ declinedPercent: null, medianConfirmDays: null });
  });
});
