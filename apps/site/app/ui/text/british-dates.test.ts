import { namedEnd } from "@farthing/core/catalogue/london-time.ts";
import { describe, expect, test } from "vitest";
import {
  calendarDays,
  dateRange,
  dayAndMonth,
  endsSoon,
  endsWhen,
  longDate,
  pastDay,
  soonAt,
} from "./british-dates.ts";

const now = new Date("2026-11-20T12:00:00Z");
const at = (iso: string) => new Date(iso);

describe("dates in British form (U2)", () => {
  test("U2 a day is written as in Britain, in London time", () => {
    expect(longDate(at("2026-12-03T10:00:00Z"))).toBe("3 December 2026");
    expect(longDate(at("2026-06-30T23:30:00Z"))).toBe("1 July 2026"); // summer time
    expect(dayAndMonth(at("2026-12-03T10:00:00Z"), now)).toBe("3 December");
    expect(dayAndMonth(at("2027-01-03T10:00:00Z"), now)).toBe("3 January 2027");
  });

  test("U2 a range names the month and year that its ends share once", () => {
    expect(dateRange(at("2026-12-03T10:00:00Z"), at("2026-12-09T10:00:00Z"), now)).toBe("3 to 9 December");
    expect(dateRange(at("2026-11-28T10:00:00Z"), at("2026-12-03T10:00:00Z"), now)).toBe("28 November to 3 December");
    expect(dateRange(at("2026-12-20T10:00:00Z"), at("2027-01-04T10:00:00Z"), now)).toBe(
      "20 December 2026 to 4 January 2027",
    );
    expect(dateRange(at("2026-12-03T08:00:00Z"), at("2026-12-03T20:00:00Z"), now)).toBe("3 December");
  });

  test("U2 days are counted by the calendar, also across a change of summer time", () => {
    expect(calendarDays(at("2026-11-21T00:10:00Z"), at("2026-11-20T23:50:00Z"))).toBe(1);
    expect(calendarDays(at("2026-10-26T00:30:00Z"), at("2026-10-24T22:30:00Z"))).toBe(2);
  });

  test("O4 a past day is today, yesterday or a date", () => {
    expect(pastDay(at("2026-11-20T00:10:00Z"), now)).toBe("today");
    expect(pastDay(at("2026-11-19T23:50:00Z"), now)).toBe("yesterday");
    expect(pastDay(at("2026-11-17T12:00:00Z"), now)).toBe("on 17 November");
  });

  test("S1 a moment to wait for is rounded up, in London time", () => {
    expect(soonAt(at("2026-11-20T14:35:00Z"), now)).toBe("14:35 today");
    expect(soonAt(at("2026-11-20T14:35:00.001Z"), now)).toBe("14:36 today");
    expect(soonAt(at("2026-11-20T23:59:30Z"), now)).toBe("00:00 tomorrow");
    expect(soonAt(at("2026-06-30T23:30:00Z"), at("2026-06-30T20:00:00Z"))).toBe("00:30 tomorrow"); // summer time
    expect(soonAt(at("2026-11-22T09:05:00Z"), now)).toBe("09:05 on 22 November");
  });

  test("O7 a card shows the end of an offer within two weeks only", () => {
    expect(endsSoon(at("2026-11-20T17:00:00Z"), now)).toBe("Ends today at 17:00");
    expect(endsSoon(at("2026-11-21T09:05:00Z"), now)).toBe("Ends tomorrow at 09:05");
    expect(endsSoon(at("2026-11-24T09:05:00Z"), now)).toBe("Ends on Tuesday");
    expect(endsSoon(at("2026-12-01T09:05:00Z"), now)).toBe("Ends 1 December");
    expect(endsSoon(at("2026-12-20T09:05:00Z"), now)).toBeNull();
    expect(endsSoon(null, now)).toBeNull();
    expect(endsSoon(at("2026-11-19T09:05:00Z"), now)).toBeNull();
    expect(endsWhen(at("2026-12-20T09:05:00Z"), now)).toBe("Ends 20 December 2026");
    // An offer is over at the moment of its end: its card shows no end, and its page says that it has ended.
    expect({ card: endsSoon(now, now), page: endsWhen(now, now) }).toEqual({
      card: null,
      page: "Ended today at 12:00",
    });
    const stillOpen = at("2026-11-20T12:00:00.001Z");
    expect(endsSoon(stillOpen, now)).toBe("Ends today at 12:00");
    expect(endsWhen(stillOpen, now)).toBe("Ends today at 12:00");
    expect(endsWhen(at("2026-11-01T09:05:00Z"), now)).toBe("Ended 1 November 2026");
  });

  test("O7 what ends at midnight ends on the day before it", () => {
    const ends = (end: string) => [endsSoon(at(end), now), endsWhen(at(end), now)];
    expect(ends("2026-11-21T00:00:00Z")).toEqual(["Ends today at 23:59", "Ends today at 23:59"]);
    expect(ends("2026-11-22T00:00:00Z")).toEqual(["Ends tomorrow at 23:59", "Ends tomorrow at 23:59"]);
    expect(ends("2026-11-25T00:00:00Z")).toEqual(["Ends on Tuesday", "Ends on Tuesday"]);
    expect(ends("2026-11-20T00:00:00Z")).toEqual([null, "Ended 19 November 2026"]);
    // Midnight in London's summer time is 23:00 UTC.
    expect(dayAndMonth(namedEnd(at("2027-06-30T23:00:00Z")), now)).toBe("30 June 2027");
    expect(dayAndMonth(namedEnd(at("2027-06-30T00:00:00Z")), now)).toBe("30 June 2027");
  });
});
