import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { islandChunks } from "./islands/island-chunks.ts";
import { lazyChunks } from "./lazy-chunks.ts";

const sources = [import.meta.dirname, join(import.meta.dirname, "../../../packages/ui")].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|\.test\.|page-script/.test(file))
    .map((file) => ({ file, code: readFileSync(join(folder, file), "utf8").replace(/\/\*[^]*?\*\//g, "") })),
);

describe("T5 chunks that are loaded on demand", () => {
  test("T5 each chunk has a number of its own, and confetti has number 8", () => {
    const numbers = [...Object.values(lazyChunks), ...Object.values(islandChunks)];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(lazyChunks.confetti).toBe(8);
  });

  test("T5 every island has a name and a number of its own", () => {
    const names = sources.flatMap(({ file }) => /([^/]+)\.island\.tsx$/.exec(file)?.[1] ?? []);
    expect(names.toSorted()).toEqual(Object.keys(islandChunks).toSorted());
    for (const { file, code } of sources.filter(({ file }) => file.endsWith(".island.tsx")))
      expect(code, file).toContain(`export default island("${/([^/]+)\.island\.tsx$/.exec(file)?.[1]}", `);
  });

  test("T5 every chunk is loaded by the loader, which gives up after two minutes and reports failures in one way", () => {
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
