import { setImmediate } from "node:timers/promises";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { lexemesOf, WordList, type ListedWord } from "./word-list.ts";
import { databaseWords, type WordReader } from "./words.server.ts";

/** Rows of one statement: reading them holds the process for some milliseconds. */
const ROWS_READ = 2_000;
/** Larger lists stay in the database: 500,000 words take some 100 MB. */
const MAX_WORDS = 500_000;

export interface KeptWords {
  /** Reads from memory; until the list is loaded, and for queries that only the database can split, from the database. */
  read: WordReader;
  /**
   * Loads the list if the database has another revision of it. Returns how many words were loaded, or null.
   * @throws StemsDifferError once for each revision: the database splits text otherwise, and keeps answering
   */
  refresh(): Promise<number | null>;
}

/** The database's stems are not those of this process: its PostgreSQL has another version of Snowball, or the configuration `farthing` was changed. */
export class StemsDifferError extends Error {
  override name = "StemsDifferError";

  constructor(word: string) {
    super(`The database has another stem of "${word}": search reads its words there.`);
  }
}

/**
 * Keeps the index's list of words in memory (D2), so that a search asks the database for names and offers alone. Between two calls of `refresh` it may be
 * older than the database's, which indexCatalogue changes: offers and retailers are never older.
 */
export function keepWords(db: Db): KeptWords {
  const fromDatabase = databaseWords(db);
  let list: WordList | null = null;
  let revision: number | null = null;
  return {
    read: async (asked) => list?.read(asked) ?? fromDatabase(asked),
    async refresh() {
      const found = await readRevision(db);
      if (found === revision) return null;
      const words = await readWords(db);
      // A list that changed meanwhile is half old: the next call reads it.
      if (words !== null && (await readRevision(db)) !== found) return null;
      const other = words && (await findOtherStem(db, words));
      list = words === null || other !== null ? null : await WordList.build(words, setImmediate);
      revision = found; // last: after a lost connection the next call loads the list
      if (other !== null) throw new StemsDifferError(other);
      return words?.length ?? null;
    },
  };
}

async function readRevision(db: Db): Promise<number> {
  const { revision } = await db.selectFrom("search_words_revision").select("revision").executeTakeFirstOrThrow();
  return revision;
}

/** Returns all words, or null for more than MAX_WORDS. */
async function readWords(db: Db): Promise<ListedWord[] | null> {
  const words: ListedWord[] = [];
  const brandIds = new Map<string, readonly string[]>(); // few different ones: each is kept once
  for (;;) {
    const { rows } = await sql<ListedWord>`
      select word, lexeme, singular, occurrences, common_brand_ids::text[] as "commonBrandIds" from search_words
      where word ~>~ ${words.at(-1)?.word ?? ""} order by word using ~<~ limit ${sql.lit(ROWS_READ)}`.execute(db);
    for (const row of rows) {
      const key = row.commonBrandIds.join();
      const shared = brandIds.get(key) ?? row.commonBrandIds;
      brandIds.set(key, shared);
      words.push({ ...row, commonBrandIds: shared });
    }
    if (words.length > MAX_WORDS) return null;
    if (rows.length < ROWS_READ) return words;
  }
}

/** Returns a word which, whole or without its last letter, as it is while it is typed, has other lexemes in the database than here. Null if none has. */
async function findOtherStem(db: Db, words: readonly ListedWord[]): Promise<string | null> {
  for (let from = 0; from < words.length; from += ROWS_READ) {
    const forms = words
      .slice(from, from + ROWS_READ)
      .flatMap(({ word }) => [word, word.slice(0, -1)])
      .map((word) => ({ word, lexemes: lexemesOf(word) }))
      .filter(({ lexemes }) => lexemes !== null);
    const ours = forms.map(({ lexemes }) => lexemes![0] ?? "");
    const { rows } = await sql<{ word: string }>`
      select form.word from unnest(${forms.map(({ word }) => word)}::text[], ${ours}::text[]) as form (word, lexeme)
      where coalesce((tsvector_to_array(to_tsvector('farthing', form.word)))[1], '') <> form.lexeme limit 1`.execute(
      db,
    );
    if (rows[0]) return rows[0].word;
  }
  return null;
}
