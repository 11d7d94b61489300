import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { bundleRows, makeSets } from "./report-sets.ts";

test("C2 sets hold every row once, share no sale or member within a set, and keep the order of rows that share one", () => {
  const rows = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map(String), { maxLength: 3 }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 8 }), (keys, max) => {
      const sets = makeSets(
        keys.map((own, row) => ({ row, keys: own })),
        max,
      );
      expect(sets.flat().sort((a, b) => a - b)).toEqual(keys.map((_, row) => row));
      for (const set of sets) {
        expect(set.length).toBeGreaterThan(0);
        expect(set.length).toBeLessThanOrEqual(max);
        const shared = set.flatMap((row) => keys[row]!);
        expect(new Set(shared).size).toBe(shared.length);
      }
      const setOf = new Map(sets.flatMap((set, at) => set.map((row) => [row, at] as const)));
      for (const [first, own] of keys.entries())
        for (let later = first + 1; later < keys.length; later++)
          if (own.some((key) => keys[later]!.includes(key)))
            expect(setOf.get(later)!).toBeGreaterThan(setOf.get(first)!);
    }),
  );
});

test("C2 rows of different members fill whole sets", () => {
  const rows = Array.from({ length: 450 }, (_, row) => ({ row, keys: [`member ${row}`] }));
  expect(makeSets(rows, 200).map((set) => set.length)).toEqual([200, 200, 50]);
});

test("C2 the rows of a sale are one bundle, a second version of a row starts another, and whole sales stay alone", () => {
  const row = (name: string): ReportedTransaction => {
    const [sale = "", rowId] = name.split(" ");
    return {
      networkTransactionId: sale,
      correction: rowId ? { rowId, isOriginal: rowId === "1" } : null,
    } as ReportedTransaction;
  };
  const nameOf = ({ networkTransactionId, correction }: ReportedTransaction) =>
    [networkTransactionId, correction?.rowId].filter(Boolean).join(" ");
  const bundles = bundleRows(["a 1", "b", "a 2", "b", "c 2", "a 1", "a 3", "c 1"].map(row));
  expect(bundles.map((bundle) => bundle.map(nameOf))).toEqual([
    ["a 1", "a 2"],
    ["b"],
    ["b"],
    ["c 2", "c 1"],
    ["a 1", "a 3"],
  ]);
});
