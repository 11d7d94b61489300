import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { KnownWord, TypedWord } from "./rules.ts";

/** Further words are left out: each costs a look-up. */
const MAX_WORDS = 12;
const MAX_CANDIDATES = 40;
const MAX_COMPLETIONS = 8;

interface WordRow {
  word: string;
  lexemes: string[];
  is_known: boolean;
  is_common: boolean;
  occurrences: number;
  completions: KnownWord[] | null;
  neighbours: KnownWord[] | null;
  resembling: KnownWord[] | null;
  is_pair: boolean;
}

export interface LookUpOptions {
  brandId: string;
  query: string;
  /** Whether to read neighbours of known words too (the wider search). */
  wide?: boolean;
  /** Whether to read what begins with the last word even if it is a whole word (suggestions while typing). */
  completeKnown?: boolean;
  /** Words to read beyond MAX_WORDS. */
  more?: number;
}

interface ReadWords {
  typed: TypedWord[];
  /** What two neighbours make if they are written as one, where that is known or, at the end, begins a known word. */
  pairs: TypedWord[];
}

/**
 * Splits a query into words, as documents are split, and reads each from the index's list of words: whether it is known, which words begin with the last
 * one, and which are one typo away or similar. One statement; the query is a parameter, and search_fold reduces it to letters, digits and spaces.
 */
export async function lookUpWords(db: Db, options: LookUpOptions): Promise<TypedWord[]> {
  return (await read(db, options, { withPairs: false })).typed;
}

/** As lookUpWords, with the words that neighbours make. */
export async function lookUpWordsAndPairs(db: Db, options: LookUpOptions): Promise<ReadWords> {
  return read(db, options, { withPairs: true });
}

async function read(
  db: Db,
  { brandId, query, wide = false, completeKnown = false, more = 0 }: LookUpOptions,
  { withPairs }: { withPairs: boolean },
): Promise<ReadWords> {
  const { rows } = await sql<WordRow>`${keepPlan}
    select * from search_words_of_query(${brandId}, ${query}, ${wide}, ${completeKnown}, ${withPairs}, ${MAX_WORDS + more}, ${MAX_COMPLETIONS}, ${MAX_CANDIDATES})`.execute(
    db,
  );
  return {
    typed: rows.filter((row) => !row.is_pair).map(toTypedWord),
    pairs: rows.filter((row) => row.is_pair).map(toTypedWord),
  };
}

function toTypedWord(row: WordRow): TypedWord {
  return {
    word: row.word,
    lexemes: row.lexemes,
    isKnown: row.is_known,
    isCommon: row.is_common,
    occurrences: row.occurrences,
    completions: row.completions ?? [],
    neighbours: row.neighbours ?? [],
    resembling: row.resembling ?? [],
  };
}
