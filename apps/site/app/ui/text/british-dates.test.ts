import { describe, expect, it } from "vitest";
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
  it("U2 a day is written as people here write it, by London's clock", () => {
    expect(longDate(at("2026-12-03T10:00:00Z"))).toBe("3 December 2026");
    expect(longDate(at("2026-06-30T23:30:00Z"))).toBe("1 July 2026"); // summer time
    expect(dayAndMonth(at("2026-12-03T10:00:00Z"), now)).toBe("3 December");
    expect(dayAndMonth(at("2027-01-03T10:00:00Z"), now)).toBe("3 January 2027");
  });

  it("U2 a range says what its ends share once", () => {
    expect(dateRange(at("2026-12-03T10:00:00Z"), at("2026-12-09T10:00:00Z"), now)).toBe("3 to 9 December");
    expect(dateRange(at("2026-11-28T10:00:00Z"), at("2026-12-03T10:00:00Z"), now)).toBe("28 November to 3 December");
    expect(dateRange(at("2026-12-20T10:00:00Z"), at("2027-01-04T10:00:00Z"), now)).toBe(
      "20 December 2026 to 4 January 2027",
    );
    expect(dateRange(at("2026-12-03T08:00:00Z"), at("2026-12-03T20:00:00Z"), now)).toBe("3 December");
  });

  it("U2 days are counted by the calendar, not by 24 hours, also over the change of clocks", () => {
    expect(calendarDays(at("2026-11-21T00:10:00Z"), at("2026-11-20T23:50:00Z"))).toBe(1);
    expect(calendarDays(at("2026-10-26T00:30:00Z"), at("2026-10-24T22:30:00Z"))).toBe(2);
  });

  it("O4 a day that has been is named as near as it is", () => {
    expect(pastDay(at("2026-11-20T00:10:00Z"), now)).toBe("today");
    expect(pastDay(at("2026-11-19T23:50:00Z"), now)).toBe("yesterday");
    expect(pastDay(at("2026-11-17T12:00:00Z"), now)).toBe("on 17 November");
  });

  it("S1 a moment that somebody waits for is never said too early, and by London's clock", () => {
    expect(soonAt(at("2026-11-20T14:35:00Z"), now)).toBe("14:35 today");
    expect(soonAt(at("2026-11-20T14:35:00.001Z"), now)).toBe("14:36 today");
    expect(soonAt(at("2026-11-20T23:59:30Z"), now)).toBe("00:00 tomorrow");
    expect(soonAt(at("2026-06-30T23:30:00Z"), at("2026-06-30T20:00:00Z"))).toBe("00:30 tomorrow"); // summer time
    expect(soonAt(at("2026-11-22T09:05:00Z"), now)).toBe("09:05 on 22 November");
  });

  it("O7 the end of an offer is on its card only when it is near", () => {
    expect(endsSoon(at("2026-11-20T17:00:00Z"), now)).toBe("Ends today at 17:00");
    expect(endsSoon(at("2026-11-21T09:05:00Z"), now)).toBe("Ends tomorrow at 09:05");
    expect(endsSoon(at("2026-11-24T09:05:00Z"), now)).toBe("Ends on Tuesday");
    expect(endsSoon(at("2026-12-01T09:05:00Z"), now)).toBe("Ends 1 December");
    expect(endsSoon(at("2026-12-20T09:05:00Z"), now)).toBeNull();
    expect(endsSoon(null, now)).toBeNull();
    expect(endsSoon(at("2026-11-19T09:05:00Z"), now)).toBeNull();
    expect(endsWhen(at("2026-12-20T09:05:00Z"), now)).toBe("Ends 20 December 2026");
    // An offer is over at its end: its card says nothing any more, and its page that it has ended.
    expect([endsSoon(now, now), endsWhen(now, now)]).toEqual([null, "Ended today at 12:00"]);
    const stillOpen = at("2026-11-20T12:00:00.001Z");
    expect([endsSoon(stillOpen, now), endsWhen(stillOpen, now)]).toEqual([
      "Ends today at 12:00",
      "Ends today at 12:00",
    ]);
    expect(endsWhen(at("2026-11-01T09:05:00Z"), now)).toBe("Ended 1 November 2026");
  });
});
