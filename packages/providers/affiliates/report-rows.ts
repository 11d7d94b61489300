import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import type { ReportAnswer } from "@farthing/core/networks/provider.ts";

/**
 * Reads the rows of a report one by one: a row that `read` throws on is listed under `unreadable` and holds up no other.
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
      answer.transactions.push(read(row));
    } catch (error) {
      answer.unreadable.push(`${nameOf(row)}: ${error instanceof Error ? error.message.slice(0, 500) : "unreadable"}`);
    }
  }
  return answer;
}

/** Returns the answers to several requests as one. */
export function joinAnswers(answers: readonly ReportAnswer[]): ReportAnswer {
  return {
    transactions: answers.flatMap(({ transactions }) => transactions),
    unreadable: answers.flatMap(({ unreadable }) => unreadable),
  };
}
