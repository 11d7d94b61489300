import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import type { ReportAnswer, ReportPage } from "@farthing/core/networks/provider.ts";
import { z } from "zod";

/**
 * Reads the rows of a report one by one: a row that `read` throws on is listed under `unreadable` and holds up no other. A line names the row and the
 * fields that are wrong, never what they hold: a network may repeat a secret in them.
 * @param nameOf returns what a message calls the row, for example "Awin transaction 259630312"
 */
export function readReportRows(
  rows: readonly unknown[],
  read: (row: unknown) => ReportedTransaction,
  nameOf: (row: unknown) => string,
): ReportAnswer {
  const answer: ReportAnswer = { transactions: [], unreadable: [] };
  for (const row of rows) {
    try {
      const transaction = read(row);
      if (!canBeStored(row)) throw new UnreadableRowError("it holds text that can't be stored");
      answer.transactions.push(transaction);
    } catch (error) {
      answer.unreadable.push(`${nameOf(row)}: ${problemOf(error)}`);
    }
  }
  return answer;
}

/** Names a row by its id, if that is one: digits by default. Anything else may be text that must not stand in a log. */
export function rowName(kind: string, row: unknown, field: string, pattern = /^\d{1,20}$/): string {
  const id: unknown =
    typeof row === "object" && row !== null && Object.hasOwn(row, field)
      ? (row as Record<string, unknown>)[field]
      : null;
  return (typeof id === "string" || typeof id === "number") && pattern.test(String(id))
    ? `${kind} ${id}`
    : `${kind} without an id`;
}

/** Returns the answers to several requests as one. */
export function joinAnswers(answers: readonly ReportAnswer[]): ReportAnswer {
  return {
    transactions: answers.flatMap(({ transactions }) => transactions),
    unreadable: answers.flatMap(({ unreadable }) => unreadable),
  };
}

/** Reads all pages of a report into one answer. For tests, and for reports that are known to be short. */
export async function joinPages(pages: AsyncIterable<ReportPage>): Promise<ReportAnswer> {
  const answers: ReportAnswer[] = [];
  for await (const page of pages) answers.push(page);
  return joinAnswers(answers);
}

/** Whether all text of a row, which is kept raw, is text that the database can hold: it has no NUL and no half of a character. */
function canBeStored(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, held]) => canBeStored(key) && canBeStored(held));
}

function problemOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .slice(0, 10)
      .map(({ path, code }) => `${path.join(".") || "the row"} is wrong (${code})`)
      .join(", ");
  return error instanceof UnreadableRowError ? error.message : "it is not in the documented format";
}

/** Thrown by adapters for a row that cannot be read. Its message repeats nothing of the row but words that are safe to log. */
export class UnreadableRowError extends Error {
  override readonly name = "UnreadableRowError";
}
