import { expect, test } from "vitest";
import { fromLondon, toLondon } from "./london-time.ts";

test("A2 a moment is typed and shown in London's time, in winter and in summer", () => {
  expect(fromLondon("2026-11-30T23:59")).toEqual(new Date("2026-11-30T23:59:00Z"));
  expect(fromLondon("2026-07-01T00:30:15")).toEqual(new Date("2026-06-30T23:30:15Z"));
  expect(toLondon(new Date("2026-06-30T23:30:15Z"))).toBe("2026-07-01T00:30:15");
});

test("A2 an hour that is left out is no moment, and of one that comes twice the later is meant", () => {
  expect(fromLondon("2026-03-29T01:30")).toBeNull();
  expect(fromLondon("2026-10-25T01:30")).toEqual(new Date("2026-10-25T01:30:00Z"));
});

test.each([
  "",
  "tomorrow",
  "2026-02-30T10:00",
  "2026-13-01T10:00",
  "2026-11-30",
  "0026-11-30T10:00",
  "2026-11-30T25:00",
])("A2 “%s” is refused", (text) => expect(fromLondon(text)).toBeNull());
