import { describe, expect, test } from "vitest";
import { timeLeftInWords } from "./use-time-left.ts";

describe("O7 the time an offer has left", () => {
  test.each([
    [24 * 3_600_000, false, "24 h 0 min left"],
    [5 * 3_600_000 + 12 * 60_000 + 59_000, false, "5 h 12 min left"],
    [3_600_000, false, "1 h 0 min left"],
    [12 * 60_000 + 4_000, true, "12 min 4 s left"],
    [12 * 60_000 + 4_000, false, "12 min left"],
    [59_999, true, "59 s left"],
    [59_999, false, "under a minute left"],
  ])("O7 %i ms, seconds %s: %s", (ms, hasSeconds, words) => {
    expect(timeLeftInWords({ ms, hasSeconds })).toBe(words);
  });
});
