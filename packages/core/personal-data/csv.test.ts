import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine } from "./csv.ts";

/** Returns the cells of one line (RFC 4180). */
function cellsOf(line: string): string[] {
  return [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}

/**
 * Characters that make a spreadsheet read a cell as a formula, depending on the program and its language (OWASP,
 * "CSV Injection").
 */
const dangerous = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];

describe("S1 no cell begins a formula", () => {
  test.each(dangerous.map((character) => [JSON.stringify(character), character] as const))(
    "S1 %s at the beginning of any cell is escaped, also alone, and further on it is unchanged",
    (_, character) => {
      const text = `${character}HYPERLINK("https://evil.example")`;
      expect(cellsOf(csvLine([text, text, "x"]))).toEqual([`'${text}`, `'${text}`, "x"]);
      expect(cellsOf(csvLine([character]))).toEqual([`'${character}`]);
      expect(cellsOf(csvLine([`a${character}`, `'${character}`]))).toEqual([`a${character}`, `'${character}`]);
    },
  );

  test("S1 no text that members type begins a formula, and other text is unchanged", () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.constantFrom(...dangerous, '"', ",", " "), fc.string()).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        const read = cellsOf(csvLine(cells));
        expect(read.filter((cell) => dangerous.some((character) => cell.startsWith(character)))).toEqual([]);
        expect(read.map((cell, at) => (cell === cells[at] ? cell : cell.slice(1)))).toEqual(cells);
      }),
    );
  });

  test("S1 text in lists, and text that looks like a number, is escaped too", () => {
    expect(cellsOf(csvLine([["=1"], "-1", "+44 20 7946 0000"]))).toEqual(['["=1"]', "'-1", "'+44 20 7946 0000"]);
  });
});

describe("M5 a line of CSV", () => {
  test("M5 amounts stay numbers, also negative ones and bigints; null is an empty cell", () => {
    expect(csvLine([-1, 0, 2.5, -9_007_199_254_740_993n, true, false, null, undefined, ""])).toBe(
      "-1,0,2.5,-9007199254740993,true,false,,,\r\n",
    );
  });

  test("M5 quotes a cell with separators, quotes or line breaks", () => {
    const cells = ["a", 'b"c', "d,e", "f\ng", "h\r\ni", '"', ",", " j "];
    expect(cellsOf(csvLine(cells))).toEqual(cells);
    expect(csvLine(['b"c', "d,e", "f\ng", "h\ri", " j "])).toBe('"b""c","d,e","f\ng","h\ri", j \r\n');
    expect(csvLine([{ h: 1 }, new Date("2026-11-20T10:00:00Z")])).toBe('"{""h"":1}",2026-11-20T10:00:00.000Z\r\n');
  });
});
