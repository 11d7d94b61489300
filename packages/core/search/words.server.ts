import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import type { KnownWord, TypedWord } from "./rules.ts";

/** Further words are left out: each costs a look-up. */
const MAX_WORDS = 12;
const MAX_CANDIDATES = 40;
const MAX_COMPLETIONS = 8;

interface WordRow {
  word: string;
  lexemes: string[];
  is_known: boolean;
  completions: KnownWord[] | null;
  neighbours: KnownWord[] | null;
  resembling: KnownWord[] | null;
}

export interface LookUpOptions {
  query: string;
  /** Whether to read neighbours of known words too (the wider search). */
  wide?: boolean;
  /** Whether to read what begins with the last word even if it is a whole word (suggestions while typing). */
  completeKnown?: boolean;
}

/**
 * Splits a query into words, as documents are split, and reads each from the index's list of words: whether it is known, which words begin with the last
 * one, and which are one typo away or similar. One statement; the query is a parameter, and search_fold reduces it to letters, digits and spaces.
 */
export async function lookUpWords(
  db: Db,
  { query, wide = false, completeKnown = false }: LookUpOptions,
): Promise<TypedWord[]> {
  const candidates = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) => sql`
    (select json_agg(found) from (
      select s.word, s.lexeme, s.occurrences from search_words s where ${condition} order by ${order} limit ${sql.lit(limit)}) found)`;
  const { rows } = await sql<WordRow>`${keepPlan}
    with typed as materialized (
      select word, place, tsvector_to_array(to_tsvector('farthing', word)) as lexemes, place = max(place) over () as is_last from (
        select left(word, 40) as word, place from unnest(string_to_array(search_fold(${query}), ' ')) with ordinality as split (word, place)
        where word <> '' order by place limit ${sql.lit(MAX_WORDS)}) as words
    ), known as materialized (
      select *, exists (select from search_words s where s.lexeme = any(typed.lexemes)) as is_known from typed
    )
    select k.word, k.lexemes, k.is_known,
      case when k.is_last and (not k.is_known or ${wide || completeKnown}) then
        ${candidates(sql`s.word ~>=~ k.word and s.word ~<~ (k.word || chr(1114111))`, sql`s.occurrences desc, s.word`, MAX_COMPLETIONS)} end as completions,
      case when not k.is_known or ${wide} then
        ${candidates(sql`s.slips && search_slips(k.word)`, sql`s.occurrences desc, s.word`, MAX_CANDIDATES)} end as neighbours,
      case when not k.is_known and length(k.word) >= 7 then
        ${candidates(sql`s.word % k.word`, sql`similarity(s.word, k.word) desc, s.word`, 8)} end as resembling
    from known k order by k.place`.execute(db);
  return rows.map((row) => ({
    word: row.word,
    lexemes: row.lexemes,
    isKnown: row.is_known,
    completions: row.completions ?? [],
    neighbours: row.neighbours ?? [],
    resembling: row.resembling ?? [],
  }));
}
