/** A record of a file, with its position. */
export interface FileRecord {
  /** "" for a root list; otherwise the key of the value. */
  list: string;
  /** Position in the list, from 0; null where the value under the key is not a list. */
  index: number | null;
  /** Line the value starts on, from 1. */
  line: number;
  value: unknown;
}

/** Thrown when the file as a whole can't be read; the message says why and what to do. */
export class UnreadableFileError extends Error {
  override name = "UnreadableFileError";
  readonly line: number | null;
  constructor(message: string, line: number | null) {
    super(message);
    this.line = line;
  }
}
