import { expect, test } from "vitest";
import { readCodes } from "./read-codes.ts";

test("O4 codes are read from lines, from CSV and from files of other systems", () => {
  const codes = (text: string) => readCodes(text).codes.map(({ code }) => code);
  expect(codes('\uFEFFCode\r\nA-1\r\n\r\n  B 2 \rC3,\n"D""4";')).toEqual(["A-1", "B 2", "C3", 'D"4']);
});

test("O4 what is wrong is named by its line, and one wrong line refuses nothing silently", () => {
  const { problems, problemCount, codes } = readCodes(`GOOD\n${"x".repeat(61)}\na,b\nbad\u200Bcode\nfine`);
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(problems.map(({ message }) => message).join()).toMatch(/61 characters.*comma.*can’t be seen/);
  expect(problemCount).toBe(3);
  expect(codes).toEqual([
    { line: 1, code: "GOOD" },
    { line: 5, code: "fine" },
  ]);
  expect(readCodes("x".repeat(60)).problemCount).toBe(0);
});

test("O4 a code that comes twice is named and added once; upper and lower case differ", () => {
  const { codes, repeated } = readCodes("ONE\none\nONE");
  expect(codes.map(({ code }) => code)).toEqual(["ONE", "one"]);
  expect(repeated).toEqual([{ line: 3, code: "ONE", message: "is on line 1 already; it is added once" }]);
});

test("O4 nothing, and more than a hundred thousand, are refused in words", () => {
  expect(readCodes(" \n\n").problems[0]?.message).toContain("no codes here");
  const many = Array.from({ length: 100_002 }, (_, index) => `C${index}`).join("\n");
  expect(readCodes(many).codes).toHaveLength(100_000);
  expect(readCodes(many).problems.map(({ line }) => line)).toEqual([100_001, 100_002]);
});
