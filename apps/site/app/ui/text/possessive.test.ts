import { expect, test } from "vitest";
import { possessive } from "./possessive.ts";

test.each([
  ["Otterby", "Otterby’s"],
  ["Fernhollow Boots", "Fernhollow Boots’"],
  ["GLASS", "GLASS’"],
])("U2 what belongs to %s is %s", (name, words) => {
  expect(possessive(name)).toBe(words);
});
