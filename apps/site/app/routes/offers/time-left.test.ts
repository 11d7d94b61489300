import { afterEach, describe, expect, test, vi } from "vitest";
import { offerTimeLeft } from "./time-left.behaviour.ts";
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
    expect(clockOffset(1_000_000, 1_000_000 - 120_000, { isKept: false })).toBe(0);
    expect(clockOffset(1_000_000, 1_000_000 - 120_001, { isKept: false })).toBe(120_001);
    expect(clockOffset(1_000_000, 1_000_000 + 120_001, { isKept: false })).toBe(-120_001);
  });

  test("O7 the age of a page that the browser kept does not slow a right clock, and a slow clock is still corrected", () => {
    expect(clockOffset(1_000_000, 1_000_000 + 1_800_000, { isKept: true })).toBe(0);
    expect(clockOffset(1_000_000, 1_000_000 - 1_800_000, { isKept: true })).toBe(1_800_000);
  });
});

describe("O7 the countdown on the page", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each([
    ["comes back from the browser's history after half an hour", "back_forward", 0, "1 h 40 min left"],
    ["is fresh, with a clock that is half an hour fast", "navigate", 9000, "2 h 10 min left"],
    ["is fresh on the way back, with a clock that is half an hour fast", "back_forward", 9000, "2 h 10 min left"],
  ])("O7 a page that %s", (_, type, transferSize, words) => {
    const renderedAt = Date.UTC(2026, 5, 1, 12);
    vi.useFakeTimers({ now: renderedAt + HOUR_MS / 2, toFake: ["Date"] });
    vi.stubGlobal("performance", { getEntriesByType: () => [{ type, transferSize }] });
    vi.stubGlobal("window", { matchMedia: () => ({ matches: false }), setTimeout: () => 0 });
    const endsAt = renderedAt + 2 * HOUR_MS + 10 * 60_000;
    const element = {
      dataset: { endsAt: String(endsAt), renderedAt: String(renderedAt) },
      hidden: true,
      textContent: "",
    };
    void offerTimeLeft.start(element as unknown as HTMLElement);
    expect(element).toMatchObject({ hidden: false, textContent: words });
  });
});
