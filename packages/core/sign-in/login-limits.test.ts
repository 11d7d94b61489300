import { describe, expect, test } from "vitest";
import { loginLimits } from "./login-limits.ts";

describe("S1 limits of tries", () => {
  test.each(Object.entries(loginLimits))(
    "S1 %s: whole seconds, waits that grow, and none that a person would take for a lock-out",
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
