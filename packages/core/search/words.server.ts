import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { KnownWord, TypedWord } from "./rules.ts";
import type { ReadWords, WordsAsked } from "./word-list.ts";

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

/** Reads the words of queries: from the database, or from a list in memory (kept-words.server.ts). */
export type WordReader = (asked: WordsAsked) => Promise<ReadWords>;

/**
 * Splits a query into words, as documents are split, and reads each from the index's list of words: whether it is known, which words begin with the last
 * one, and which are one typo away or similar.
 */
export async function lookUpWords(read: WordReader, options: LookUpOptions): Promise<TypedWord[]> {
  return (await read(asked(options, false))).typed;
}

/** As lookUpWords, with the words that neighbours make. */
export async function lookUpWordsAndPairs(read: WordReader, options: LookUpOptions): Promise<ReadWords> {
  return read(asked(options, true));
}

function asked(
  { brandId, query, wide = false, completeKnown = false, more = 0 }: LookUpOptions,
  withPairs: boolean,
): WordsAsked {
  return {
    ...{ brandId, query, wide, completeKnown, withPairs },
    ...{ maxWords: MAX_WORDS + more, maxCompletions: MAX_COMPLETIONS, maxCandidates: MAX_CANDIDATES },
  };
}

/** Returns a reader of the database. One statement; the query is a parameter, and search_fold reduces it to letters, digits and spaces. */
export function databaseWords(db: Db): WordReader {
  return async ({ brandId, query, wide, completeKnown, withPairs, maxWords, maxCompletions, maxCandidates }) => {
    const { rows } = await sql<WordRow>`${keepPlan}
      select * from search_words_of_query(${brandId}, ${query}, ${wide}, ${completeKnown}, ${withPairs}, ${maxWords}, ${maxCompletions}, ${maxCandidates})`.execute(
      db,
    );
    return {
      typed: rows.filter((row) => !row.is_pair).map(toTypedWord),
      pairs: rows.filter((row) => row.is_pair).map(toTypedWord),
    };
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
