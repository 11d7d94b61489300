import { describe, expect, test } from "vitest";
import { reportCsv, totalsOf } from "./report-table.ts";

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

test("T7 S1 money and per cent below zero stay numbers in a report's file, and text that begins a formula is escaped", () => {
  const columns = [
    { label: "Retailer", kind: "text" },
    { label: "Cashback", kind: "money" },
    { label: "Change", kind: "percent" },
  ] as const;
  expect(
    reportCsv({
      columns,
      rows: [
        ["-5.00", -500, -2.5],
        ["=1", -7, null],
      ],
    }),
  ).toBe("Retailer,Cashback (GBP),Change (%)\r\n'-5.00,-5.00,-2.5\r\n'=1,-0.07,\r\n");
});
