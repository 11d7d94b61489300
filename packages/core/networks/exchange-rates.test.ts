import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimalRate, doubtOf, exampleOf, farDayOf, newRateSchema, parseRate, roughnessOf } from "./exchange-rates.ts";

describe("C4 exchange rates as operators type them", () => {
  test.each([
    ["0.789", 789_000],
    [" £1.2 ", 1_200_000],
    ["0.000047", 47],
    ["2", 2_000_000],
    ["1000", 1_000_000_000],
  ])("C4 %j is %i millionths of a pound", (text, rate) => expect(parseRate(text)).toBe(rate));

  test.each(["", "0", "0.000000", "0.7891234", ".5", "1.", "-1", "1e-3", "0,789", "1000.000001", "78.9%", "99999"])(
    "C4 %j is no rate",
    (text) => expect(parseRate(text)).toBeNull(),
  );

  test("C4 a rate that is written is read as the same", () => {
    expect([789_000, 1_200_000, 47, 1_000_000].map(decimalRate)).toEqual(["0.789", "1.20", "0.000047", "1.00"]);
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e9 }), (rate) => parseRate(decimalRate(rate)) === rate));
  });

  test("C4 a currency is one of ISO 4217 that is not pounds, and a day is one of London's", () => {
    const read = (typed: object) =>
      newRateSchema.safeParse({ currency: "USD", rate: "0.8", from: "2026-07-01", ...typed });
    expect(read({}).data?.from).toEqual(new Date("2026-06-30T23:00:00Z"));
    expect(read({ from: "2026-12-01" }).data?.from).toEqual(new Date("2026-12-01T00:00:00Z"));
    for (const wrong of [
      { currency: "GBP" },
      { currency: "usd" },
      { currency: "XTS" },
      { from: "2026-02-30" },
      { from: "1999-12-31" },
    ])
      expect(read(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
});

describe("C4 what a rate means, and what is doubtful about it", () => {
  test.each([
    ["USD", 789_000, { unitsMinor: 10_000, pence: 7_890, ofHundredMinor: 12_674 }],
    ["JPY", 5_200, { unitsMinor: 1_000, pence: 520, ofHundredMinor: 19_231 }],
    ["KWD", 2_570_000, { unitsMinor: 100_000, pence: 25_700, ofHundredMinor: 38_911 }],
    ["IDR", 47, { unitsMinor: 10_000_000, pence: 470, ofHundredMinor: 212_765_957 }],
  ])("C4 one %s at %i", (currency, rate, example) => expect(exampleOf(currency, rate)).toEqual(example));

  test.each([
    [789_000, null, null],
    [789_000, 800_000, null],
    [960_000, 800_000, null],
    [960_001, 800_000, "far"],
    [639_999, 800_000, "far"],
    [1_267_000, 789_000, "inverse"],
    [193, 5_200, "far"],
    [192_000_000, 5_200, "inverse"],
  ] as const)("C4 a rate of %i after one of %s: %s", (rate, last, doubt) => expect(doubtOf(rate, last)).toBe(doubt));

  test.each([
    [1, 50],
    [47, 1.1],
    [99, 0.51],
    [100, null],
    [5_200, null],
    [789_000, null],
  ])("C4 a rate of %i millionths may be off by %s per cent", (rate, percent) =>
    expect(roughnessOf(rate)).toBe(percent),
  );

  test("C4 a day more than a year ago or a month ahead is asked about", () => {
    const now = new Date("2026-11-30T12:00:00Z");
    const far = ["2025-11-01", "2025-12-01", "2026-11-30", "2026-12-31", "2027-01-01"].map((day) =>
      farDayOf(new Date(day), now),
    );
    expect(far).toEqual(["past", null, null, null, "ahead"]);
  });
});
