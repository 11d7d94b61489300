import { describe, expect, test } from "vitest";
import { totalsOf } from "./report-table.ts";

describe("T7 totals of a report", () => {
  const columns = [
    { label: "Day", kind: "day" },
    { label: "Joined", kind: "count", isSummed: true },
    { label: "Members", kind: "count" },
    { label: "Cashback", kind: "money", isSummed: true },
  ] as const;

  test("T7 only columns that add up have one; what is unknown counts as zero", () => {
    const rows = [
      ["2026-11-01", 2, 10, 1_050],
      ["2026-11-02", 3, 13, null],
    ];
    expect(totalsOf({ columns, rows })).toEqual([null, 5, null, 1_050]);
  });

  test("T7 a report whose columns don't add up has no totals", () => {
    expect(totalsOf({ columns: [columns[0], columns[2]], rows: [["2026-11-01", 10]] })).toBeNull();
  });
});
