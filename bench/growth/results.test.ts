import { expect, test } from "vitest";
import { amount, growthTable } from "./table.ts";
import { compareSizes, type Measured } from "./verdicts.ts";
import { replaceBetweenMarks } from "./write-results.ts";

const home = (ms: number): Measured => ({
  ...{ group: "visitors" as const, name: "home", unit: "ms" as const, allowed: "logarithm" as const },
  samples: { values: [ms, ms, ms], references: [0.1, 0.1, 0.1] },
});

test("R3 the table has each size, the exponent and what it means, in columns of one width", () => {
  const growths = compareSizes(
    new Map([
      [1, [home(2)]],
      [100, [home(200)]],
    ]),
  );
  const lines = growthTable(growths, [1, 100]).split("\n");
  expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
  expect(lines[2]).toMatch(/^\| home +\| +2\.0 ms \(20\) \| +200 ms \(2,000\) \|.*\| +1\.00 \|.*\*\*grows\*\*/);
});

test("R3 amounts have three digits or so, and thousands of their unit", () => {
  expect([0.123, 3.21, 42.4, 9_999, 61_000].map((ms) => amount(ms, "ms"))).toEqual([
    ...["0.12 ms", "3.2 ms", "42 ms", "9,999 ms", "61 s"],
  ]);
  expect(amount(16_000, "MB")).toBe("16 GB");
});

test("R3 the section between the marks is replaced, whatever was there, and a document without them is refused", () => {
  const [from, to] = ["<!-- growth: from here written by bench/growth -->", "<!-- growth: up to here -->"];
  const once = replaceBetweenMarks(`before\n${from}\nold\n${to}\nafter\n`, "new");
  expect(once).toBe(`before\n${from}\n\nnew\n\n${to}\nafter\n`);
  expect(replaceBetweenMarks(once, "new")).toBe(once);
  expect(() => replaceBetweenMarks("nothing", "new")).toThrow("needs the lines");
});
