import { describe, expect, test } from "vitest";
import { loginLimits } from "./login-limits.ts";

describe("S1 limits of login tries", () => {
  test.each(Object.entries(loginLimits))(
    "S1 %s has whole seconds, growing waits, and none long enough to be a lock-out",
    (_, { free, windowSeconds, firstWaitSeconds, maxWaitSeconds }) => {
      for (const value of [free, windowSeconds, firstWaitSeconds, maxWaitSeconds])
        expect(Number.isInteger(value)).toBe(true);
      expect(free).toBeGreaterThan(0);
      expect(windowSeconds).toBeGreaterThanOrEqual(15 * 60);
      expect(windowSeconds).toBeLessThanOrEqual(24 * 3600);
      expect(maxWaitSeconds).toBeGreaterThanOrEqual(firstWaitSeconds);
      expect(maxWaitSeconds).toBeLessThanOrEqual(24 * 3600);
    },
  );
});
