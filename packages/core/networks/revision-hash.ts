import { createHash } from "node:crypto";
import type { ReportedTransaction } from "./network-transaction.ts";

/**
 * Hashes everything that a member's money can depend on: not when it was observed, and not the raw row. Fields that most networks do not have count
 * only where they have a value, so that a later version of the club hashes the same revision the same.
 */
export function revisionHash(reported: Omit<ReportedTransaction, "raw">): string {
  const { observedAt: _observedAt, ...content } = reported;
  const entries = Object.entries(content).filter(
    ([name, value]) => name !== "raw" && (!OPTIONAL.has(name) || (value !== null && value !== undefined)),
  );
  return createHash("sha256")
    .update(JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest("hex");
}

const OPTIONAL: ReadonlySet<string> = new Set([
  "paidAt",
  "locksAt",
  "kind",
  "correction",
  "calendar",
  "exchangeRateMicros",
] satisfies (keyof ReportedTransaction)[]);
