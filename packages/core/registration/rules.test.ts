import { describe, expect, test } from "vitest";
import { ageOn, emailHint, londonDate, placeName } from "./rules.ts";

describe("M1 who may join", () => {
  test.each([
    ["2008-11-20", "2026-11-20", 18],
    ["2008-11-21", "2026-11-20", 17],
    ["2008-02-29", "2026-02-28", 17],
    ["2008-02-29", "2026-03-01", 18],
    ["2026-11-20", "2026-11-20", 0],
  ])("M1 a person born on %s is, on %s, aged %i", (born, today, age) => {
    expect(ageOn(born, today)).toBe(age);
  });

  test("M1 a birthday begins at midnight in London, summer time included", () => {
    expect(londonDate(new Date("2026-07-01T23:30:00Z"))).toBe("2026-07-02");
    expect(londonDate(new Date("2026-12-01T23:30:00Z"))).toBe("2026-12-01");
  });

  test("M1 names places, and hints at an address that its owner recognises", () => {
    expect(["GB", "JE", "FR"].map(placeName)).toEqual(["United Kingdom", "Jersey", "France"]);
    expect(emailHint("ada.lovelace@example.org")).toBe("a…@example.org");
  });
});
