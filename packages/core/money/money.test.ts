import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  convertToPence,
  formatPence,
  formatPounds,
  formatRate,
  parseMinorUnits,
  parsePercent,
  parsePounds,
  PAR,
  pence,
  percentOf,
  sumPence,
} from "./money.ts";

const anyPence = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

describe("C4 money is integer pence", () => {
  test.each([
    [0, "£0.00"],
    [5, "£0.05"],
    [1234, "£12.34"],
    [100_000, "£1,000.00"],
    [123_456_789, "£1,234,567.89"],
    [-1234, "\u2212£12.34"],
    [-0, "£0.00"],
    [Number.MAX_SAFE_INTEGER, "£90,071,992,547,409.91"],
  ])("C4 %i pence are written %s", (amount, text) => expect(formatPence(amount)).toBe(text));

  test("C4 headline amounts leave out zero pence only", () => {
    expect([formatPounds(1000), formatPounds(1050), formatPounds(-500)]).toEqual(["£10", "£10.50", "\u2212£5"]);
  });

  test.each([
    [600, "6%"],
    [750, "7.5%"],
    [25, "0.25%"],
    [0, "0%"],
    [10_000, "100%"],
    [1010, "10.1%"],
    [5, "0.05%"],
    [-150, "\u22121.5%"],
  ])("C5 %i basis points are written %s", (rate, text) => expect(formatRate(rate)).toBe(text));

  test.each([[0.1 + 0.2], [Number.NaN], [Infinity], [2 ** 53]])("C4 %s is refused as an amount", (amount) => {
    expect(() => pence(amount)).toThrow(
      new RangeError(`An amount of money must be a whole number of pence within ±2^53, not ${amount}.`),
    );
    expect(() => formatPence(amount)).toThrow(RangeError);
  });

  test("C4 a sum that leaves the safe range is refused, not rounded", () => {
    expect(() => sumPence([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError);
    expect([sumPence([1, -3, 2]), sumPence([1, 20, 300]), sumPence([-5]), sumPence([])]).toEqual([0, 321, -5, 0]);
    expect([pence(-0), sumPence([-0])]).toEqual([0, 0]);
  });
});

describe("C5 percentages", () => {
  test("C5 a share is rounded down to the penny", () => {
    expect([percentOf(9999, 750), percentOf(1, 9999), percentOf(4999, 100)]).toEqual([749, 0, 49]);
  });

  test("C5 a refund is the exact opposite of its purchase", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.integer({ min: 0, max: 10_000 }), (amount, rate) => {
        expect(percentOf(-amount, rate)).toBe(percentOf(amount, rate) === 0 ? 0 : -percentOf(amount, rate));
      }),
    );
  });

  test("C5 a share of the largest amounts is exact and never exceeds the whole", () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.integer({ min: 0, max: 10_000 }), (amount, rate) => {
        const share = percentOf(amount, rate);
        expect(BigInt(share)).toBe((BigInt(amount) * BigInt(rate)) / 10_000n);
        expect(share).toBeLessThanOrEqual(amount);
      }),
    );
  });
});

describe("C4 reading amounts", () => {
  test.each([
    ["12", 1200],
    ["12.3", 1230],
    ["£12.34", 1234],
    [" £1,234.56 ", 123_456],
    ["0.07", 7],
    ["1,000", 100_000],
    ["19.99", 1999],
    ["4.35", 435],
  ])("C4 %s is read exactly", (text, amount) => expect(parsePounds(text)).toBe(amount));

  test.each([
    "",
    "£",
    "-1",
    "1.234",
    "1,23",
    "12,34.00",
    "1e3",
    "NaN",
    "0x10",
    "1 000",
    "12.",
    ".5",
    "99999999999999999",
    "١٢",
  ])("C4 %j is not an amount of pounds", (text) => expect(parsePounds(text)).toBeNull());

  test.each([
    ["7.5", 750],
    ["7.5%", 750],
    [" 12 % ", 1200],
    ["0.05", 5],
    ["100", 10_000],
  ])("C4 %j is a percentage", (text, rate) => expect(parsePercent(text)).toBe(rate));

  test.each(["", "%", "-1", "7,5", "1.234", "100.01", "1e1", "12.", ".5", "£5", "٧"])(
    "C4 %j is not a percentage",
    (text) => expect(parsePercent(text)).toBeNull(),
  );

  test("C4 parsing reverses formatting", () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (amount) => {
        expect(parsePounds(formatPence(amount))).toBe(amount);
      }),
    );
  });

  test.each([
    [12.34, "GBP", 1234],
    ["12.3400", "GBP", 1234],
    [0.1 + 0.2, "GBP", 30],
    [-5, "GBP", -500],
    ["5.555", "GBP", 556],
    ["-5.555", "GBP", -556],
    [1e-7, "GBP", 0],
    [-9.99e-7, "KWD", 0],
    [1e-6, "KWD", 0],
    [0.0005, "KWD", 1],
    [-0.005, "GBP", -1],
    [1200, "JPY", 1200],
    ["1.2345", "KWD", 1235],
    [1.005, "GBP", 101],
    [" 7. ", "GBP", 700],
  ])("C2 a network's %s %s is %i minor units", (amount, currency, units) =>
    expect(parseMinorUnits(amount, currency)).toBe(units),
  );

  test.each(["12,34", "", "abc", "1e5", Number.NaN, Infinity, 1e21, "99999999999999999999"])(
    "C2 a network's %s is refused",
    (amount) => {
      expect(() => parseMinorUnits(amount)).toThrow(RangeError);
    },
  );

  test("C2 the error quotes the start of a refused amount", () => {
    expect(() => parseMinorUnits("12,34")).toThrow(new RangeError('Not an amount of money: "12,34".'));
    expect(() => parseMinorUnits("x".repeat(100))).toThrow(
      new RangeError(`Not an amount of money: "${"x".repeat(39)}.`),
    );
  });
});

describe("C3 foreign currency", () => {
  test.each([
    [10_000, "EUR", 855_000, 8550],
    [999, "EUR", 855_123, 854],
    [1000, "JPY", 5_200, 520],
    [5000, "KWD", 2_500_000, 1250],
    [-999, "EUR", 855_123, -854],
  ])("C3 %i minor units of %s at %i millionths are %i pence", (units, currency, rate, amount) =>
    expect(convertToPence(units, currency, rate)).toBe(amount),
  );

  test("C3 pounds are not converted", () => {
    fc.assert(
      fc.property(anyPence, (amount) => {
        expect(convertToPence(amount, "GBP", PAR)).toBe(amount === 0 ? 0 : amount);
      }),
    );
    for (const rate of [0, -1])
      expect(() => convertToPence(1, "EUR", rate)).toThrow(
        new RangeError(`A conversion rate must be positive, not ${rate}.`),
      );
    expect(convertToPence(1_000_000, "EUR", 1)).toBe(1);
  });
});
