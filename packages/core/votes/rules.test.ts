import { describe, expect, test } from "vitest";
import { healthInWords, judgeCode, type VoteCounts } from "./rules.ts";

const none: VoteCounts = { lastWorkedAt: null, workedThisWeek: 0, failedThisWeek: 0, workedToday: 0, failedToday: 0 };
const words = (counts: Partial<VoteCounts>) => healthInWords(judgeCode({ ...none, ...counts }));

describe("O4 did it work?", () => {
  test("O4 says for how many members a code worked, and for how many it did not", () => {
    expect(words({ workedThisWeek: 12 })).toBe("Worked for 12 members this week");
    expect(words({ workedThisWeek: 12, failedThisWeek: 2 })).toBe("Worked for 12 members this week, not for 2");
  });

  test("O4 says nothing about codes with few votes or without success", () => {
    expect(words({ workedThisWeek: 4 })).toBeNull();
    expect(words({ workedThisWeek: 1, failedThisWeek: 4, failedToday: 2 })).toBe(
      "Worked for 1 member this week, not for 4",
    );
    expect(words({ failedThisWeek: 9 })).toBeNull();
  });

  test.each([
    [{ failedToday: 2 }, false],
    [{ failedToday: 3 }, true],
    [{ failedToday: 3, workedToday: 3 }, true],
    [{ failedToday: 3, workedToday: 4 }, false],
  ])("O4 %j in 24 hours is demoted: %s", (today, isDemoted) => {
    expect(judgeCode({ ...none, ...today }).isDemoted).toBe(isDemoted);
  });

  test("O4 a demoted code does not show last week's successes", () => {
    expect(words({ workedThisWeek: 20, failedThisWeek: 3, failedToday: 3 })).toBeNull();
  });
});
