import { describe, expect, test } from "vitest";
import { isFreshSession } from "./fresh-session.ts";

const now = new Date("2026-11-20T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const MINUTE_MS = 60_000;

describe("S1 a fresh session", () => {
  test.each([
    ["open", 15 * MINUTE_MS],
    ["change", 30 * MINUTE_MS],
  ] as const)("S1 to %s, a session is fresh until exactly %i ms after logging in", (to, lasts) => {
    expect(isFreshSession(now, { now, to })).toBe(true);
    expect(isFreshSession(now, { now: later(lasts), to })).toBe(true);
    expect(isFreshSession(now, { now: later(lasts + 1), to })).toBe(false);
    expect(isFreshSession(undefined, { now, to })).toBe(false);
  });
});
