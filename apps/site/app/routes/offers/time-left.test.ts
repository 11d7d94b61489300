import { describe, expect, test } from "vitest";
import { clockOffset, isShown, msUntilNext, timeLeft, timeLeftInWords } from "./time-left.ts";

const HOUR_MS = 3_600_000;

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

describe("O7 when the time left changes", () => {
  test("O7 it is shown in the last day, and has seconds in the last hour unless the person prefers calm", () => {
    expect(isShown(timeLeft(25 * HOUR_MS, 0, false))).toBe(false);
    expect(isShown(timeLeft(24 * HOUR_MS, 0, false))).toBe(true);
    expect(timeLeft(2 * HOUR_MS, HOUR_MS, false).hasSeconds).toBe(false);
    expect(timeLeft(2 * HOUR_MS, HOUR_MS + 1, false).hasSeconds).toBe(true);
    expect(timeLeft(2 * HOUR_MS, HOUR_MS + 1, true).hasSeconds).toBe(false);
    expect(timeLeft(HOUR_MS, 2 * HOUR_MS, false).ms).toBe(0);
  });

  test.each([
    ["two days before, a timer waits for the last day", 48 * HOUR_MS, 24 * HOUR_MS],
    ["no timer is longer than browsers allow", 1_000 * HOUR_MS, 2 ** 31 - 1],
    ["then each minute", 5 * HOUR_MS + 20_000, 20_000],
    ["at a whole minute, the next", 5 * HOUR_MS, 60_000],
    ["then each second", 10_400, 400],
  ])("O7 %s", (_, ms, expected) => {
    expect(msUntilNext(timeLeft(ms, 0, false))).toBe(expected);
  });

  test("O7 where the visitor's clock is clearly wrong, the server's counts", () => {
    expect(clockOffset(1_000_000, 1_000_000 - 120_000)).toBe(0);
    expect(clockOffset(1_000_000, 1_000_000 + 120_001)).toBe(-120_001);
  });
});
