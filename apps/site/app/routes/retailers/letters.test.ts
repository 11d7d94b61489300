import { expect, test } from "vitest";
import { allLetters, groupByLetter, letterName } from "./letters.ts";

test("D3 shops are listed under their letter, with or without accents, and digits and signs under 0–9", () => {
  const groups = groupByLetter([{ name: "7 Pegs" }, { name: "Aldercamp" }, { name: "Élan" }, { name: "ember" }]);
  expect(groups.map(([letter, rows]) => [letterName(letter), rows.length])).toEqual([
    ["0–9", 1],
    ["A", 1],
    ["E", 2],
  ]);
  expect(allLetters).toHaveLength(27);
});
