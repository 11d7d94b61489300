import { expect, test } from "vitest";
import { barOf } from "./bar-chart.tsx";

test("A1 A3 a day below 0 hangs below the line, as long as it is worth beside the others", () => {
  const values = [300, 0, -100];
  expect(values.map((value) => barOf(value, values))).toEqual([
    { y: 0, height: 30 },
    { y: 29.5, height: 0.5 },
    { y: 30, height: 10 },
  ]);
  expect(barOf(-5, [-5, -10]), "nothing above 0").toEqual({ y: 0, height: 20 });
});

test("A3 without a day below 0 the line is the bottom, and no bar leaves the chart", () => {
  expect(barOf(100, [100, 50])).toEqual({ y: 0, height: 40 });
  expect(barOf(0, [0, 0])).toEqual({ y: 39.5, height: 0.5 });
  expect(barOf(-1, [100_000, -1])).toEqual({ y: 38.5, height: 1.5 });
});
