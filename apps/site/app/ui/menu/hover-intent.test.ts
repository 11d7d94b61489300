import { expect, it } from "vitest";
import { aimDelayMs, isAimingDown, openDelayMs, waitBeforeOpening } from "./hover-intent.ts";

const at = (x: number, y: number) => ({ x, y });

it.each([
  ["straight down", at(100, 100), at(100, 110), true],
  ["slantwise down", at(100, 100), at(125, 110), true],
  ["along the row", at(100, 100), at(140, 100), false],
  ["along the row by a shaky hand", at(100, 100), at(140, 104), false],
  ["up", at(100, 100), at(100, 90), false],
  ["nowhere", at(100, 100), at(100, 100), false],
])("D6 a pointer moving %s: on its way into the panel is told", (_, from, to, expected) => {
  expect(isAimingDown(from, to)).toBe(expected);
});

it("D6 passing over opens nothing, along the row opens at once, crossing another section on the way down waits", () => {
  expect(waitBeforeOpening({ isOtherOpen: false, from: at(0, 0), to: at(0, 9) })).toBe(openDelayMs);
  expect(waitBeforeOpening({ isOtherOpen: true, from: at(0, 0), to: at(40, 0) })).toBe(0);
  expect(waitBeforeOpening({ isOtherOpen: true, from: at(0, 0), to: at(20, 10) })).toBe(aimDelayMs);
});
