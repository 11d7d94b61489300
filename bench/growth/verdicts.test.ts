import { expect, test } from "vitest";
import { readSizes, sizeAt } from "./sizes.ts";
import { compareSizes, type Measured } from "./verdicts.ts";

const one = (values: number[], changes: Partial<Measured> = {}): Measured => ({
  group: "visitors",
  name: "home",
  unit: "ms",
  allowed: "logarithm",
  samples: { values, references: values.map(() => 0.1) },
  ...changes,
});
const growthOf = (small: Measured, large: Measured) =>
  compareSizes(
    new Map([
      [1, [small]],
      [100, [large]],
    ]),
  )[0]!;

test("R3 what takes a hundred times as long in a hundred times the club has the exponent 1, and is named", () => {
  const { exponent, verdict } = growthOf(one([2, 2, 2]), one([200, 200, 200]));
  expect(exponent).toBeCloseTo(1, 6);
  expect(verdict).toBe("grows");
});

test("R3 what takes as long in a large club has the exponent 0, and a depth of a tree more is allowed", () => {
  expect(growthOf(one([2, 2, 2]), one([2, 2, 2]))).toMatchObject({ exponent: 0, verdict: "flat" });
  expect(growthOf(one([20, 20, 20]), one([34, 34, 34])).verdict).toBe("flat");
  expect(growthOf(one([20, 20, 20]), one([42, 42, 42])).verdict).toBe("grows");
});

test("R3 times are compared with selects of the same time: a machine that became busy is no growth", () => {
  const busy = { values: [8, 8, 8], references: [0.4, 0.4, 0.4] };
  expect(growthOf(one([2, 2, 2]), one([], { samples: busy }))).toMatchObject({ verdict: "flat" });
});

test("R3 repeats that overlap are noise, and so is a difference of two selects", () => {
  expect(growthOf(one([2, 2, 9]), one([8, 8, 8])).verdict).toBe("noise");
  expect(growthOf(one([0.1, 0.1, 0.1]), one([0.28, 0.28, 0.28])).verdict).toBe("noise");
});

test("R3 what looks at the whole club may grow in proportion, and no faster", () => {
  const whole = (values: number[]) => one(values, { allowed: "proportion", group: "work" });
  expect(growthOf(whole([2, 2, 2]), whole([200, 200, 200])).verdict).toBe("flat");
  expect(growthOf(whole([2, 2, 2]), whole([900, 900, 900])).verdict).toBe("grows");
});

test("R3 sizes in MB stand for themselves", () => {
  const size = (values: number[]) => one([], { group: "sizes", unit: "MB", samples: { values, references: [] } });
  expect(growthOf(size([100]), size([101])).verdict).toBe("flat");
  expect(growthOf(size([100]), size([10_000])).exponent).toBeCloseTo(1, 6);
});

test("R3 what one size lacks is not judged", () => {
  const found = compareSizes(
    new Map([
      [1, [one([2, 2, 2])]],
      [100, [one([2, 2, 2]), one([3, 3, 3], { name: "other" })]],
    ]),
  );
  expect(found.map(({ name, verdict }) => [name, verdict])).toEqual([
    ["home", "flat"],
    ["other", "unknown"],
  ]);
});

test("R3 sizes go up, and a smoke run makes no less than bench/admin can", () => {
  expect(readSizes("1,10,100")).toEqual([1, 10, 100]);
  for (const wrong of ["1", "10,1", "0,1", "a,b", ""]) expect(() => readSizes(wrong), wrong).toThrow("--sizes");
  expect(sizeAt(100, { isSmall: false })).toEqual({
    ...{ times: 100, offers: 100_000, members: 1_000_000, clicks: 10_000_000, entries: 10_000_000 },
    events: 100_000_000,
  });
  expect(sizeAt(1, { isSmall: true })).toMatchObject({ offers: 100, members: 400, clicks: 2_000, entries: 2_000 });
});
