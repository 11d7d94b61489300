import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lazyChunks } from "./lazy-chunks.ts";

const sources = [import.meta.dirname, join(import.meta.dirname, "../../../packages/ui")].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|\.test\.|scripts-after-paint/.test(file))
    .map((file) => ({ file, code: readFileSync(join(folder, file), "utf8").replace(/\/\*[^]*?\*\//g, "") })),
);

describe("T5 parts of the script that are loaded when they are wanted", () => {
  it("T5 each has a number of its own, and confetti has the seed's", () => {
    const numbers = Object.values(lazyChunks);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(lazyChunks.confetti).toBe(8);
  });

  it("T5 none goes past the loader, which gives up after two minutes and says what failed in one way", () => {
    const found = sources.flatMap(({ file, code }) =>
      [...code.matchAll(/\bimport\(/g)].map(({ index }) => ({ file, before: code.slice(0, index) })),
    );
    expect(found.length).toBeGreaterThanOrEqual(Object.keys(lazyChunks).length);
    const past = found.filter(
      ({ file, before }) =>
        // Passed to loadModule, or to useLazyModule as a `load…` function.
        !/loadModule\(\s*lazyChunks\.\w+,\s*\(\) =>\s*$/.test(before) &&
        !sources.some(
          (source) =>
            source.file === file &&
            new RegExp(
              `useLazyModule\\(\\s*lazyChunks\\.\\w+,\\s*${/const (load\w+) = \(\) =>\s*$/.exec(before)?.[1] ?? "-"}\\b`,
            ).test(source.code),
        ),
    );
    expect(past.map(({ file }) => file)).toEqual([]);
  });
});
