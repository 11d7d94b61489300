import { expect, test } from "vitest";
import { isLikelySlip, isSwap } from "./keyboard.ts";

test.each([
  ["sfoa", "sofa", true],
  ["sofq", "sofa", true],
  ["sofz", "sofa", true],
  ["sofe", "sofa", false],
  ["soga", "sofa", true],
  ["sora", "sofa", true],
  ["sova", "sofa", true],
  ["sota", "sofa", true],
  ["soya", "sofa", false],
  ["bok", "book", true],
  ["bookk", "book", true],
  ["books", "book", false],
  ["sofas", "sofa", true],
  ["sopfa", "sofa", true],
  ["hotl", "hotel", false],
  ["nike", "nine", false],
  ["nike", "bike", true],
  ["sof4", "sofa", false],
  ["sfo", "sofas", false],
  ["safo", "sofa", false],
  ["sofa", "sofa", false],
])("D2 the keys explain %s for %s: %s", (typed, word, expected) => {
  expect(isLikelySlip(typed, word)).toBe(expected);
});

test.each([
  ["sheos", "shoes", true],
  ["hsoes", "shoes", true],
  ["shose", "shoes", true],
  ["shoes", "shoes", false],
  ["sheds", "shoes", false],
  ["seohs", "shoes", false],
  ["shoe", "shoes", false],
  ["", "", false],
])("D2 %s and %s differ in a swap: %s", (one, other, expected) => {
  expect(isSwap(one, other)).toBe(expected);
  expect(isSwap(other, one)).toBe(expected);
});
