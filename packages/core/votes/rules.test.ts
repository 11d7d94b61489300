import { describe, expect, test } from "vitest";
import { failuresInWords, healthInWords, judgeCode, type VoteCounts } from "./rules.ts";

const none: VoteCounts = { lastWorkedAt: null, workedThisWeek: 0, failedThisWeek: 0, workedLately: 0, failedLately: 0 };
const limits = { sample: 5, failures: 3, hours: 24 };
const words = (counts: Partial<VoteCounts>) => healthInWords(judgeCode({ ...none, ...counts }, limits));

describe("O4 did it work?", () => {
  test("O4 says for how many members a code worked, and for how many it did not", () => {
    expect(words({ workedThisWeek: 12 })).toBe("Worked for 12 members this week");
    expect(words({ workedThisWeek: 12, failedThisWeek: 2 })).toBe("Worked for 12 members this week, not for 2");
  });

  test("O4 says nothing about codes with few votes or without success", () => {
    expect(words({ workedThisWeek: 4 })).toBeNull();
    expect(words({ workedThisWeek: 1, failedThisWeek: 4, failedLately: 2 })).toBe(
      "Worked for 1 member this week, not for 4",
    );
    expect(words({ failedThisWeek: 9 })).toBeNull();
  });

  test.each([
    [{ failedLately: 2 }, false],
    [{ failedLately: 3 }, true],
    [{ failedLately: 3, workedLately: 3 }, true],
    [{ failedLately: 3, workedLately: 4 }, false],
  ])("O4 %j in 24 hours is demoted: %s", (today, isDemoted) => {
    expect(judgeCode({ ...none, ...today }, limits).isDemoted).toBe(isDemoted);
  });

  test("O4 a demoted code does not show last week's successes", () => {
    expect(words({ workedThisWeek: 20, failedThisWeek: 3, failedLately: 3 })).toBeNull();
  });

  test.each([
    [3, 24, "3 members told us today that this code did not work"],
    [1, 1, "1 member told us in the last hour that this code did not work"],
    [2, 36, "2 members told us in the last 36 hours that this code did not work"],
    [9, 72, "9 members told us in the last 3 days that this code did not work"],
  ])("O4 %s failures of %s hours are told in words", (failedLately, hours, words) => {
    expect(failuresInWords(judgeCode({ ...none, failedLately }, { ...limits, hours }))).toBe(words);
  });
});
