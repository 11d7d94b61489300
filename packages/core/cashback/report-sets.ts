import type { ReportedTransaction } from "../networks/network-transaction.ts";

/** A row and what no other row of its set may share with it: its sale, its member. */
export interface KeyedRow<T> {
  row: T;
  keys: readonly string[];
}

/**
 * Divides rows into sets of at most `max` in which no two share a key; rows that share one keep their order, a later set each. So a set locks the rows of
 * a member once, and cannot wait for one that waits for it.
 */
export function makeSets<T>(rows: readonly KeyedRow<T>[], max: number): T[][] {
  const sets: T[][] = [];
  const lastSetOf = new Map<string, number>();
  let firstOpen = 0;
  for (const { row, keys } of rows) {
    const after = Math.max(-1, ...keys.map((key) => lastSetOf.get(key) ?? -1));
    let at = Math.max(firstOpen, after + 1);
    while ((sets[at]?.length ?? 0) >= max) at++;
    (sets[at] ??= []).push(row);
    for (const key of keys) lastSetOf.set(key, at);
    while ((sets[firstOpen]?.length ?? 0) >= max) firstOpen++;
  }
  return sets;
}

/**
 * Puts a sale's rows and its corrections together, where the first of them is, so that they are booked as one change. A second version of a row starts
 * another bundle: both can't be stored at once.
 */
export function bundleRows(rows: readonly ReportedTransaction[]): ReportedTransaction[][] {
  const bundles: ReportedTransaction[][] = [];
  const open = new Map<string, { bundle: ReportedTransaction[]; rowIds: Set<string> }>();
  for (const row of rows) {
    const { networkTransactionId: sale, correction } = row;
    const known = open.get(sale);
    if (correction && known && !known.rowIds.has(correction.rowId)) {
      known.bundle.push(row);
      known.rowIds.add(correction.rowId);
      continue;
    }
    const bundle = [row];
    bundles.push(bundle);
    if (correction) open.set(sale, { bundle, rowIds: new Set([correction.rowId]) });
  }
  return bundles;
}
