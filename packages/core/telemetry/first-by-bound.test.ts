import { expect, test } from "vitest";
import { firstByBound, isShort } from "./first-by-bound.ts";

/** Counts the values of what is bounded by `bounds`, as the database does. */
function find(values: number[], bounds: number[], { max, tries = [2, 4] }: { max: number; tries?: number[] }) {
  const counted: number[] = [];
  const byBound = values
    .map((value, index) => ({ value, bound: bounds[index]! }))
    .toSorted((one, other) => other.bound - one.bound);
  const rows = firstByBound<{ value: number; next: number | null }>({
    max,
    tries,
    valueOf: ({ value }) => value,
    async read(count) {
      counted.push(count);
      const next = byBound[count]?.bound ?? null;
      return byBound
        .slice(0, count)
        .toSorted((one, other) => other.value - one.value)
        .slice(0, max)
        .map(({ value }) => ({ value, next }));
    },
  });
  return { rows: rows.then((found) => found?.map(({ value }) => value) ?? null), counted };
}

test("T7 the first are returned once no other's bound reaches them", async () => {
  const exact = find([9, 8, 3, 2, 1], [9, 8, 3, 2, 1], { max: 2 });
  expect([await exact.rows, exact.counted]).toEqual([[9, 8], [4]]);
  // The highest bounds mislead at first.
  const misled = find([1, 1, 9, 2, 0, 0], [20, 19, 18, 3, 2, 1], { max: 1 });
  expect([await misled.rows, misled.counted]).toEqual([[9], [2, 4]]);
});

test("T7 what is as high as another's bound is not settled, and nothing is guessed", async () => {
  const tied = find([5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5], { max: 1 });
  expect([await tied.rows, tied.counted]).toEqual([null, [2, 4]]);
  const short = find([0, 0, 0, 7, 7, 7], [9, 9, 9, 8, 8, 7], { max: 3, tries: [1] });
  expect(await short.rows).toBeNull();
});

test("T7 fewer than wanted are all there are", async () => {
  expect(await find([4, 2], [4, 2], { max: 3 }).rows).toEqual([4, 2]);
  expect(await find([], [], { max: 3 }).rows).toBeNull();
});

test("T7 a week is a short range, eight days are not, also where the clocks change", () => {
  expect(isShort({ from: "2026-10-22", to: "2026-10-28" })).toBe(true);
  expect(isShort({ from: "2026-10-22", to: "2026-10-29" })).toBe(false);
});
