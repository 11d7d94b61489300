import { describe, expect, test } from "vitest";
import { limitsFor, MAX_REVEAL_WINDOW_MS, MAX_COUNTED_REVEALS, nextRevealAt, revealLimits } from "./rules.ts";

const now = new Date("2026-11-20T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const MINUTE_MS = 60_000;

describe("S1 limits on new codes", () => {
  const limits = [
    { codes: 2, windowMs: 10 * MINUTE_MS },
    { codes: 3, windowMs: 60 * MINUTE_MS },
  ];

  test("S1 a member below every limit may continue", () => {
    expect(nextRevealAt([], limits, now)).toBeNull();
    expect(nextRevealAt([minutesAgo(1)], limits, now)).toBeNull();
    expect(nextRevealAt([minutesAgo(1), minutesAgo(11)], limits, now)).toBeNull();
  });

  test("S1 a full window has room again at the millisecond when its oldest reveal leaves it", () => {
    expect(nextRevealAt([minutesAgo(1), minutesAgo(4)], limits, now)).toEqual(inMinutes(6));
    expect(nextRevealAt([minutesAgo(1), minutesAgo(10)], limits, now)).toBeNull();
    const justInside = new Date(minutesAgo(10).getTime() + 1);
    expect(nextRevealAt([minutesAgo(1), justInside], limits, now)).toEqual(new Date(now.getTime() + 1));
  });

  test("S1 the longest wait of several full windows counts", () => {
    expect(nextRevealAt([minutesAgo(1), minutesAgo(2), minutesAgo(30)], limits, now)).toEqual(inMinutes(30));
  });

  test("S1 every member who is not verified has the lower limit", () => {
    for (const verification of ["unverified", "submitted", "rejected", "lapsed", "anything"])
      expect(limitsFor(verification)).toBe(revealLimits.unverified);
    expect(limitsFor("verified")).toBe(revealLimits.verified);
    for (const [at, { codes, windowMs }] of revealLimits.unverified.entries()) {
      expect(revealLimits.verified[at]?.windowMs).toBe(windowMs);
      expect(codes).toBeLessThan(revealLimits.verified[at]?.codes ?? 0);
    }
  });

  test("S1 enough reveals are read for every limit", () => {
    const all = Object.values(revealLimits).flat();
    expect(Math.max(...all.map(({ codes }) => codes))).toBe(MAX_COUNTED_REVEALS);
    expect(Math.max(...all.map(({ windowMs }) => windowMs))).toBe(MAX_REVEAL_WINDOW_MS);
  });
});
