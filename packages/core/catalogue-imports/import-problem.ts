/** A problem with a catalogue file, for the person who has the file: where it is (line, index, the network's own id), what it is and what to do. */
export interface ImportProblem {
  /** Name of the file or feed, never a machine's path. */
  source: string;
  /** Line on which the record starts, from 1; null where the whole file is meant. */
  line: number | null;
  /** Position of the record in its list, from 0; null where the whole file is meant. */
  index: number | null;
  /** The network's own id of the record, where it could be read. */
  id: string | null;
  /** The field, as a path such as "voucher.code"; empty for the whole record. */
  field: string;
  message: string;
}

/** A file in the wrong shape has one cause, not a hundred thousand: further problems are only counted. */
export const MAX_PROBLEMS_KEPT = 100;

/** Collects the problems of an import: keeps the first hundred and counts the rest. */
export class ProblemList {
  readonly kept: ImportProblem[] = [];
  count = 0;

  add(problem: ImportProblem): void {
    this.count += 1;
    if (this.kept.length < MAX_PROBLEMS_KEPT) this.kept.push(problem);
  }
}

/** Returns a problem as one line for a terminal or a log: "awin-promotions.json, line 12 (record 11, id 500012), endDate: ends before …". */
export function describeProblem(problem: ImportProblem): string {
  const id = problem.id === null ? "" : `, id ${problem.id}`;
  const record = problem.index === null ? "" : ` (record ${problem.index}${id})`;
  const line = problem.line === null ? "" : `, line ${problem.line}`;
  const field = problem.field === "" ? "" : `, ${problem.field}`;
  return `${problem.source}${line}${record}${field}: ${problem.message}`;
}
