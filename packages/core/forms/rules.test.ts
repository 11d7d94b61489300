import { describe, expect, test } from "vitest";
import {
  dateText,
  fieldError,
  markedLabel,
  readDateText,
  readTypedDate,
  typedDate,
  TYPED_DATE_PATTERN,
} from "./rules.ts";
import { dateTextCases, fieldCases, typedDateCases } from "./rules.testing.ts";

describe("M3 errors of a form", () => {
  test.each(fieldCases)(
    "M3 a field with the browser's message $browserMessage shows $message",
    ({ message, ...state }) => {
      expect(fieldError(state)).toBe(message);
    },
  );

  test("M3 the mark is appended to the label", () => {
    expect(markedLabel("Email")).toBe("Email **");
  });
});

describe("M3 a typed date", () => {
  const typeKeys = (keys: string) => [...keys].reduce((text, key) => typedDate(text + key, text), "");

  test.each(typedDateCases)("M3 $keys becomes $text: $why", ({ keys, text }) => {
    expect(typeKeys(keys)).toBe(text);
  });

  test("M3 has at most 8 characters, whatever is typed or pasted", () => {
    for (const text of ["0511262026", "05/11/2026", "9".repeat(50), "1-1-1-1-1-1"]) {
      expect(typedDate(text).length).toBeLessThanOrEqual(8);
    }
    expect(typedDate("05/11/2026")).toBe("05-11-26");
    expect(typedDate("5.11.1988 14:30")).toBe("05-11-88");
  });

  test("M3 a whole date takes no further sign before its end", () => {
    expect(typedDate("051-11-26", "05-11-26")).toBe("05-11-26");
    expect(typedDate("05-11-2026", "30-10-25"), "another date is put in its place").toBe("05-11-26");
  });

  test("M3 can be deleted, past its dashes", () => {
    let text = "05-11-26";
    for (let steps = 0; text !== "" && steps < 20; steps += 1) text = typedDate(text.slice(0, -1), text);
    expect(text).toBe("");
  });

  test.each([
    ["05-11-26", "2026-11-05"],
    ["29-02-24", "2024-02-29"],
    ["29-02-26", null],
    ["31-04-26", null],
    ["01-01-99", "1999-01-01"],
    ["5-11-26", null],
    ["", null],
  ])("M3 %j is read as %j", (text, date) => {
    expect(readTypedDate(text, new Date("2026-11-20T12:00:00Z"))).toBe(date);
  });

  test("M3 the browser's pattern accepts complete dates only", () => {
    const pattern = new RegExp(`^(?:${TYPED_DATE_PATTERN})$`);
    expect(["05-11-26", "31-12-99"].every((text) => pattern.test(text))).toBe(true);
    expect(["32-11-26", "05-13-26", "00-01-26", "05-11", "05-11-2026"].some((text) => pattern.test(text))).toBe(false);
  });
});

describe("M3 a date from three selects", () => {
  test.each(dateTextCases)("M3 $day, $month, $year is $text: $why", ({ text, ...parts }) => {
    expect(dateText(parts)).toBe(text);
  });

  test("M3 the text is read only if the calendar has the day", () => {
    expect(readDateText("05-11-1988")).toBe("1988-11-05");
    expect(readDateText("31-02-1988")).toBeNull();
    expect(readDateText("1988-11-05")).toBeNull();
  });
});
