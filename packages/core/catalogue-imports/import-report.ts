import type { ImportProblem } from "./import-problem.ts";

export interface Network {
  id: string;
  slug: string;
  /** The part of a commission passed on to the member, in basis points. */
  memberShareBp: number;
}

/** What the import of one file changed, or would change. Records that were neither created nor updated are unchanged. */
export interface FileReport {
  kind: "programmes" | "promotions" | "editorial" | "offers";
  source: string;
  /** SHA-256 of the bytes. */
  hash: string;
  read: number;
  created: number;
  updated: number;
  /** Number of live offers that a full file no longer lists. */
  withdrawn: number;
  /**
   * Only for a full file. `live`: how many of the network's offers were live. `isUnconfirmed`: whether somebody must confirm the
   * number, and has not. `offers`: the first 200 withdrawn, by title.
   */
  lacks?: { live: number; isUnconfirmed: boolean; offers: { publicId: string; title: string }[] };
  /** What becomes of single records, in the file's order: the first 200. Promotions and offers only. */
  records?: { line: number; id: string; title: string; what: "created" | "updated" }[];
  /** Sentences about records that were accepted in part, or left out for what they claim. */
  warnings: string[];
}

export type ImportResult =
  | { outcome: "imported"; files: FileReport[] }
  /** A dry run: what the import would do. Nothing was written. */
  | { outcome: "checked"; files: FileReport[] }
  /**
   * Nothing was written. `problems` holds the first hundred of `problemCount`. A file with `lacks.isUnconfirmed` was refused because
   * nobody confirmed its number of withdrawals.
   */
  | { outcome: "refused"; files: FileReport[]; problems: ImportProblem[]; problemCount: number };

/** Returns what is wrong with a full file that withdraws so many offers. How its number is confirmed is for the caller to say. */
export function manyWithdrawn(withdrawn: number, live: number): string {
  return `as the whole list it would withdraw ${withdrawn} of the network's ${live} live offers, which it lacks`;
}
