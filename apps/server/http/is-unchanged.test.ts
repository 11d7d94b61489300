import { expect, test } from "vitest";
import { isUnchanged } from "./is-unchanged.ts";

test.each([
  ['W/"one"', true],
  ['"one"', true],
  ['"two", W/"one"', true],
  ["*", true],
  ['"two"', false],
  ["one", false],
  ["", false],
  [undefined, false],
  [`"one"${", ".repeat(4096)}`, false],
])("If-None-Match %j is unchanged: %s", (header, expected) => {
  expect(isUnchanged(header, 'W/"one"')).toBe(expected);
});
