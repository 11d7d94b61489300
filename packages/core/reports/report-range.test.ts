import { expect, test } from "vitest";
import { readRange } from "./report-range.ts";

const today = "2026-11-25";
const read = (from: string, to: string) => readRange({ from, to }, { today, defaultDays: 28 });

test("T7 a range is the last days unless days are given", () => {
  expect(read("", "")).toEqual({ ok: true, from: "2026-10-29", to: today });
  expect(read("", "2026-03-01")).toEqual({ ok: true, from: "2026-02-02", to: "2026-03-01" });
  expect(read("2026-11-01", "")).toEqual({ ok: true, from: "2026-11-01", to: today });
  // A day to come is no fault: there is nothing in it yet.
  expect(read("2026-12-01", "")).toEqual({ ok: true, from: "2026-12-01", to: "2026-12-01" });
  expect(read("2026-11-01", "2026-11-01")).toEqual({ ok: true, from: "2026-11-01", to: "2026-11-01" });
  expect(read("2023-11-26", today)).toMatchObject({ ok: true });
});

test.each([
  ["2026-11-02", "2026-11-01", "to", /before From/],
  ["2023-11-25", today, "from", /more than three years/],
  ["2026-02-30", "", "from", /From is not a day/],
  ["", "soon", "to", /To is not a day/],
  ["0001-01-01", "", "from", /From is not a day/],
  ["", "9999-12-31", "to", /To is not a day/],
])("T7 from %j to %j says what is wrong with %s", (from, to, field, words) => {
  const range = read(from, to);
  expect(range.ok).toBe(false);
  if (!range.ok) expect(range.faults).toEqual({ [field]: expect.stringMatching(words) as string });
});
