import { describe, expect, test } from "vitest";
import { DECISION_FACTS, DECLINE_REASONS } from "./decline-reason.ts";

describe("C3 reasons in plain words", () => {
  test("C3 every reason says who decided and what can be appealed, and none asks for a claim form that does not exist", () => {
    expect(Object.keys(DECISION_FACTS).sort()).toEqual(Object.keys(DECLINE_REASONS).sort());
    for (const [reason, { decidedBy, appeal }] of Object.entries(DECISION_FACTS)) {
      expect(decidedBy, reason).toMatch(/^the retailer/);
      if (appeal !== null) expect(appeal, reason).toMatch(/^(Send us|If|Your receipt) .+\.$/);
    }
  });
});
