import type { Db } from "@farthing/db/client.ts";
import type { SecretKeys } from "./sealed-secret.ts";

/** What a key of the deployment's secret is derived for, where it encrypts columns. */
export type SealPurpose =
  | "member-secrets"
  | "operator-secrets"
  | "bank-details"
  | "payee"
  | "gift-cards"
  | "attachment";

/** What a rotation left behind. */
export interface Rotation {
  /** Rows that are encrypted with the current key now. */
  current: number;
  /** Rows of earlier keys that could be read, and were in use at the moment: the next run takes them. */
  left: number;
  /** Rows that can't be decrypted, by their id, with what to do about it. They are unchanged. */
  unreadable: ReadonlyMap<string, string>;
}

export interface RotationOptions {
  /** The current key first, then the earlier ones. */
  keys: SecretKeys;
  /** Rows per transaction. */
  max?: number;
  /** Called after each batch is stored. */
  onBatch?: (done: { rotated: number; of: number }) => void;
}

/** A row as the status sees it. */
export interface LookedAt {
  id: string;
  /** The index of the key that it is encrypted with; null: none of them. */
  keyIndex: number | null;
}

/** A column that holds what is encrypted with a key of the deployment's secret. */
export interface SealedColumn {
  /** `table.column`, with the rows in brackets where others of the table are another entry. */
  name: string;
  /** What a row is to people, in the plural: "bank details". */
  what: string;
  purpose: SealPurpose;
  /** Returns up to `max` rows after one (null: from the first), in the order of their ids. Reads each with the keys. */
  look(db: Db, page: { keys: SecretKeys; after: string | null; max: number }): Promise<LookedAt[]>;
  /**
   * Encrypts all rows with the current key, batch by batch. Processes may read and write meanwhile if they know both keys. A
   * run that was killed is continued by the next one, and two at once do no harm: rows that another holds are left to it.
   */
  rotate(db: Db, options: RotationOptions): Promise<Rotation>;
}

/** Rows of one column, by the key that they are encrypted with. */
export interface KeyCounts {
  /** As many numbers as there are keys, in their order. */
  byKey: number[];
  /** Ids of the rows that none of the keys reads. */
  unreadable: string[];
}

const PAGE = 500;

/** Reads every row of a column and counts by key. Changes nothing. */
export async function countKeys(db: Db, column: Pick<SealedColumn, "look">, keys: SecretKeys): Promise<KeyCounts> {
  const byKey = keys.map(() => 0);
  const unreadable: string[] = [];
  for (let after: string | null = null; ;) {
    const rows: LookedAt[] = await column.look(db, { keys, after, max: PAGE });
    for (const { id, keyIndex } of rows) {
      if (keyIndex === null) unreadable.push(id);
      else byKey[keyIndex] = (byKey[keyIndex] ?? 0) + 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return { byKey, unreadable };
    after = last.id;
  }
}

/** Returns the index of the key with which `open` does not throw; null: none. */
export function keyIndexOf(keys: SecretKeys, open: (key: SecretKeys) => unknown): number | null {
  for (const [index, key] of keys.entries()) {
    try {
      open([key]);
      return index;
    } catch {
      // Encrypted with another key, or not readable at all.
    }
  }
  return null;
}

/** A row that others hold is left out of a pass, so there are several. */
const PASSES = 3;

/**
 * Runs a rotation's batches from the first row to the last, until nothing is left or only what others hold.
 * @param rotateBatch takes the rows after one in a transaction of its own, notes those that it can't read, and returns the last
 * row that it saw; null: there is none after
 */
export async function rotateInBatches(
  db: Db,
  column: Pick<SealedColumn, "look">,
  { keys, onBatch }: RotationOptions,
  rotateBatch: (
    after: string | null,
    unreadable: Map<string, string>,
  ) => Promise<{ rotated: number; last: string | null }>,
): Promise<Rotation> {
  const unreadable = new Map<string, string>();
  const before = await countKeys(db, column, keys);
  const of = sum(before.byKey.slice(1));
  let rotated = 0;
  let counts = before;
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (let after: string | null = null; ;) {
      const batch = await rotateBatch(after, unreadable);
      rotated += batch.rotated;
      if (batch.rotated > 0) onBatch?.({ rotated, of });
      if (batch.last === null) break;
      after = batch.last;
    }
    counts = await countKeys(db, column, keys);
    if (sum(counts.byKey.slice(1)) === 0) break;
  }
  return { current: counts.byKey[0] ?? 0, left: sum(counts.byKey.slice(1)), unreadable };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
