import type { ImportProblem } from "./import-problem.ts";

export interface Network {
  id: string;
  slug: string;
  /** The part of a commission passed on to the member, in basis points. */
  memberShareBp: number;
}

/** What one file did, or would do. Records neither created nor updated were the same already and were not rewritten. */
export interface FileReport {
  kind: "programmes" | "promotions" | "editorial";
  source: string;
  /** SHA-256 of the bytes. */
  hash: string;
  read: number;
  created: number;
  updated: number;
  /** Promotions that a full file no longer lists. */
  withdrawn: number;
  /** Not wrong enough to refuse the file, but worth reading. */
  warnings: string[];
}

export type ImportResult =
  | { outcome: "imported"; files: FileReport[] }
  /** A dry run: what the import would do. Nothing was written. */
  | { outcome: "checked"; files: FileReport[] }
  /** Nothing was written. `problems` holds the first hundred of `problemCount`. */
  | { outcome: "refused"; files: FileReport[]; problems: ImportProblem[]; problemCount: number };
