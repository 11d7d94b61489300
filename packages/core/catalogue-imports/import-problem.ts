/**
 * What is wrong with a catalogue file, said so that the person who has the file can put it right: where (line, index,
 * the network's own id), what, and what to do.
 */
export interface ImportProblem {
  /** Name of the file or feed, never a machine's path. */
  source: string;
  /** Line on which the record starts, from 1; null where the whole file is meant. */
  line: number | null;
  /** Position of the record in its list, from 0; null where the whole file is meant. */
  index: number | null;
  /** The network's own id of the record, where it could be read. */
  id: string | null;
  /** Which field, as a path: "voucher.code"; empty for the whole record. */
  field: string;
  message: string;
}

/** At most this many problems are kept: a file in the wrong shape has one cause, not a hundred thousand. */
export const problemsKept = 100;

/** Collects problems of an import; keeps the first hundred and counts the rest. */
export class ProblemList {
  readonly kept: ImportProblem[] = [];
  count = 0;

  add(problem: ImportProblem): void {
    this.count += 1;
    if (this.kept.length < problemsKept) this.kept.push(problem);
  }
}

/** One line for a terminal or a log: "awin-promotions.json, line 12 (record 11, id 500012), endDate: ends before …". */
export function describeProblem(problem: ImportProblem): string {
  const id = problem.id === null ? "" : `, id ${problem.id}`;
  const record = problem.index === null ? "" : ` (record ${problem.index}${id})`;
  const line = problem.line === null ? "" : `, line ${problem.line}`;
  const field = problem.field === "" ? "" : `, ${problem.field}`;
  return `${problem.source}${line}${record}${field}: ${problem.message}`;
}
