import fc from "fast-check";
import { expect, test } from "vitest";
import { followHeight, type FollowedHeight } from "./frame-height.ts";

const limits = { min: 600, max: 20_000 };
const follow = (asks: { at: number; height: number }[]) =>
  asks.reduce<FollowedHeight | undefined>(
    (before, { at, height }) => followHeight(before, height, at, limits),
    undefined,
  )!;

test.each([
  [-50, 600],
  [0, 600],
  [599.2, 600],
  [700.4, 701],
  [20_000, 20_000],
  [1e9, 20_000],
])("W6 a content of %d px is shown at %d px", (asked, height) => {
  expect(followHeight(undefined, asked, 0, limits).height).toBe(height);
});

test("W6 a difference below 2 px changes nothing", () => {
  const before = followHeight(undefined, 700, 0, limits);
  expect(followHeight(before, 701, 1, limits).height).toBe(700);
  expect(followHeight(before, 699, 1, limits).height).toBe(700);
  expect(followHeight(before, 702, 1, limits).height).toBe(702);
});

test("W6 a content that grows with its frame stops growing after twelve steps", () => {
  let state = followHeight(undefined, 700, 0, limits);
  for (let step = 1; step <= 1000; step++) state = followHeight(state, state.height + 16, step * 350, limits);
  expect(state.height).toBe(700 + 11 * 16);
});

test("W6 after a pause of two seconds the height follows again", () => {
  const loop = Array.from({ length: 20 }, (_, step) => ({ at: step, height: 700 + 10 * step }));
  expect(follow([...loop, { at: 2018, height: 650 }]).height).toBe(810);
  expect(follow([...loop, { at: 2019, height: 650 }]).height).toBe(650);
});

test("W6 the height stays within its limits, whatever the frame reports", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (heights) => {
      const { height } = follow(heights.map((asked, at) => ({ at: at * 3000, height: asked })));
      expect(height).toBeGreaterThanOrEqual(600);
      expect(height).toBeLessThanOrEqual(20_000);
      expect(Number.isInteger(height)).toBe(true);
    }),
  );
});
