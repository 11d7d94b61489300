import { describe, expect, test } from "vitest";
import { bacsDays, bankHolidays, isOver, isWorkingDay, londonTime, sendDay } from "./bacs-calendar.ts";

describe("C6 bank holidays of England", () => {
  // As gov.uk lists them.
  test.each([
    [2020, "01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28"],
    [2021, "01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28"],
    [2022, "01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27"],
    [2023, "01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26"],
    [2024, "01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26"],
    [2025, "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26"],
    [2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28"],
    [2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28"],
    [2028, "01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26"],
  ])("C6 %i", (year, days) => {
    expect(bankHolidays(year)).toEqual(days.split(" ").map((day) => `${year}-${day}`));
  });

  test("C6 Saturdays, Sundays and bank holidays are no working days", () => {
    expect(["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23", "2026-12-28"].map(isWorkingDay)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });
});

describe("C6 the days of a Bacs file", () => {
  test.each([
    ["just before the cut-off", "2026-11-23T22:29:59.999Z", "2026-11-23", "2026-11-24", "2026-11-25"],
    ["at the cut-off", "2026-11-23T22:30:00Z", "2026-11-24", "2026-11-25", "2026-11-26"],
    ["before the cut-off in summer time", "2026-07-06T21:29:00Z", "2026-07-06", "2026-07-07", "2026-07-08"],
    ["after the cut-off in summer time", "2026-07-06T21:30:00Z", "2026-07-07", "2026-07-08", "2026-07-09"],
    ["after midnight in London, before it in UTC", "2026-07-06T23:30:00Z", "2026-07-07", "2026-07-08", "2026-07-09"],
    ["on a Friday", "2026-11-20T10:00:00Z", "2026-11-20", "2026-11-23", "2026-11-24"],
    ["on a Saturday", "2026-11-21T10:00:00Z", "2026-11-23", "2026-11-24", "2026-11-25"],
    ["on the last working day before Christmas", "2026-12-24T10:00:00Z", "2026-12-24", "2026-12-29", "2026-12-30"],
    ["on New Year's Eve", "2026-12-31T10:00:00Z", "2026-12-31", "2027-01-04", "2027-01-05"],
    ["on Maundy Thursday, late", "2026-04-02T22:00:00Z", "2026-04-07", "2026-04-08", "2026-04-09"],
    ["on a leap day", "2028-02-29T10:00:00Z", "2028-02-29", "2028-03-01", "2028-03-02"],
  ])("C6 %s", (_, now, submissionDay, processingDay, entryDay) => {
    expect(bacsDays(new Date(now))).toEqual({ submissionDay, processingDay, entryDay });
  });

  test("C6 a day is over at midnight in London", () => {
    expect(isOver("2026-07-07", new Date("2026-07-07T22:59:59.999Z"))).toBe(false);
    expect(isOver("2026-07-07", new Date("2026-07-07T23:00:00Z"))).toBe(true);
    expect(londonTime(new Date("2026-10-25T00:30:00Z"))).toEqual({ day: "2026-10-25", minutes: 90 });
  });
});

test("C6 a batch is sent until the cut-off of the working day before it is processed", () => {
  expect(sendDay("2026-11-24")).toBe("2026-11-23");
  expect(sendDay("2026-11-23"), "over a weekend").toBe("2026-11-20");
  expect(sendDay("2026-12-29"), "over Christmas").toBe("2026-12-24");
});
