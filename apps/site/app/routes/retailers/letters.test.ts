import { expect, it } from "vitest";
import { allLetters, groupByLetter, letterName } from "./letters.ts";

it("D3 shops stand under their letter, accents or not, and digits and signs under 0–9", () => {
  const groups = groupByLetter([{ name: "7 Pegs" }, { name: "Aldercamp" }, { name: "Élan" }, { name: "ember" }]);
  expect(groups.map(([letter, rows]) => [letterName(letter), rows.length])).toEqual([
    ["0–9", 1],
    ["A", 1],
    ["E", 2],
  ]);
  expect(allLetters).toHaveLength(27);
});
