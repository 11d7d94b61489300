import { countReads } from "@farthing/db/testing/count-reads.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { importDemoCatalogue } from "./demo-catalogue.testing.ts";
import { indexCatalogue } from "./index-catalogue.server.ts";
import { keepWords, StemsDifferError } from "./kept-words.server.ts";
import { searchCatalogue, suggest } from "./queries.server.ts";
import { questions } from "./relevance/questions.ts";
import { lexemesOf, WordList, type WordsAsked } from "./word-list.ts";
import { databaseWords, type WordReader } from "./words.server.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const kept = keepWords(db);
const fromDatabase = databaseWords(db);
let brandId: string;
let words: string[];
let list: WordList;

beforeAll(async () => {
  brandId = await importDemoCatalogue(db, now);
  // A word is common where hundreds of offers have it, which is never so in the demo.
  await sql`update search_words set common_brand_ids = array[${brandId}]::uuid[] where occurrences > 40`.execute(db);
  await kept.refresh();
  const { rows } = await sql<{
    word: string;
    lexeme: string;
    singular: string | null;
    occurrences: number;
    commonBrandIds: string[];
  }>`
    select word, lexeme, singular, occurrences, common_brand_ids::text[] as "commonBrandIds" from search_words`.execute(
    db,
  );
  words = rows.map(({ word }) => word);
  list = await WordList.build(rows, async () => {});
});

const asked = (query: string, more: Partial<WordsAsked> = {}): WordsAsked => ({
  ...{ brandId, query, wide: false, completeKnown: false, withPairs: true },
  ...{ maxWords: 12, maxCompletions: 8, maxCandidates: 40, ...more },
});

/** What people make of a word while they type it. */
const slip = (word: string, kind: number, at: number): string => {
  const place = at % (word.length || 1);
  const [before, letter, after] = [word.slice(0, place), word.slice(place, place + 1), word.slice(place + 1)];
  return [
    word,
    before + after,
    before + letter + letter + after,
    `${before}e${after}`,
    before + after.slice(0, 1) + letter + after.slice(1),
    word.slice(0, place + 1),
    `${word.slice(0, place)} ${word.slice(place)}`,
    `${word}s`,
    `${word}ing`,
  ][kind]!;
};

test("D2 the list in memory reads the words of any query as the database does", async () => {
  const word = fc
    .tuple(fc.nat(), fc.nat(8), fc.nat(20))
    .map(([number, kind, at]) => slip(words[number % words.length]!, kind, at));
  const other = fc.oneof(
    fc.constantFrom(
      "the",
      "and",
      "20%",
      "£5",
      "o'hara's",
      "“boots”",
      "a–b…",
      "9€",
      "men’s",
      "2024",
      "5g",
      "x2",
      "20off",
      "2nd",
      "007",
      "BOOTS",
      "a",
      "adding",
    ),
    fc.string({ maxLength: 12 }),
  );
  const query = fc
    .array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: other }), { minLength: 1, maxLength: 15 })
    .map((parts) => parts.join(" "));
  const flags = fc.record({ wide: fc.boolean(), completeKnown: fc.boolean(), withPairs: fc.boolean() });
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(query, flags, async (typed, more) => {
      const read = list.read(asked(typed, more));
      if (read === null) return;
      answered += 1;
      expect(read).toEqual(await fromDatabase(asked(typed, more)));
    }),
    { numRuns: 600 },
  );
  expect(answered).toBeGreaterThan(300);
});

test("D2 searches and suggestions give the same answers with the list in memory", async () => {
  for (const { ask, isTyping } of Object.values(questions).flat()) {
    const search = { brandId, now, query: ask };
    const [ours, theirs] = isTyping
      ? await Promise.all([suggest(db, search, kept.read), suggest(db, search)])
      : await Promise.all([
          searchCatalogue(db, { ...search, sort: "relevance", page: 1 }, kept.read),
          searchCatalogue(db, { ...search, sort: "relevance", page: 1 }),
        ]);
    expect(ours, ask).toEqual(theirs);
  }
});

test("D2 with the list in memory a search takes two statements, and a suggestion one", async () => {
  const search = { brandId, now, query: "fernhollow bots" };
  const fromMemory: WordReader = async (words) => list.read(words)!;
  const searching = await countReads(db, (trx) =>
    searchCatalogue(trx, { ...search, sort: "relevance", page: 1 }, fromMemory),
  );
  expect(searching.statements).toBe(2);
  expect((await countReads(db, (trx) => suggest(trx, search, fromMemory))).statements).toBe(1);
});

test("D2 the list reads what is typed in letters, digits and signs; other letters are the database's to read", () => {
  expect(list.read(asked("Men’s BOOTS – £20 off"))?.typed.map(({ word }) => word)).toEqual([
    "mens",
    "boots",
    "20",
    "off",
  ]);
  expect(list.read(asked("élan"))).toBeNull();
  expect(list.read(asked("boots 5e3"))).toBeNull();
  expect(list.read(asked(" !? "))).toEqual({ typed: [], pairs: [] });
});

test("D2 the stems of words that people type are those of the database", async () => {
  const forms = words.flatMap((word) => ["", "s", "ed", "ing", "ly", "er", "ies"].map((end) => word + end));
  const typed = [
    ...forms,
    "adding",
    "added",
    "erred",
    "ebbing",
    "egged",
    "oddly",
    "skies",
    "dying",
    "news",
    "20off",
    "2nd",
    "3d",
    "x2",
    "ps5",
    "007",
    "4k",
  ];
  const known = typed.filter((word) => lexemesOf(word) !== null && word.length <= 40);
  const { rows } = await sql<{ word: string; lexemes: string[] }>`
    select word, tsvector_to_array(to_tsvector('farthing', word)) as lexemes from unnest(${known}::text[]) word`.execute(
    db,
  );
  expect(rows.filter(({ word, lexemes }) => String(lexemesOf(word)) !== String(lexemes))).toEqual([]);
});

test("D2 the list is loaded again when the catalogue was indexed with other words, and only then", async () => {
  expect(await kept.refresh()).toBeNull();
  await indexCatalogue(db, { now }); // marks common words anew
  expect(await kept.refresh()).toBe(words.length);
  await indexCatalogue(db, { now });
  expect(await kept.refresh()).toBeNull();
  expect((await kept.read(asked("zyxwv"))).typed[0]?.isKnown).toBe(false);
  await sql`insert into search_words (word, lexeme, occurrences, slips) values ('zyxwv', 'zyxwv', 3, search_slips('zyxwv'))`.execute(
    db,
  );
  expect(await kept.refresh()).toBe(words.length + 1);
  expect((await kept.read(asked("zyxwv"))).typed[0]).toMatchObject({ isKnown: true, occurrences: 3 });
  await sql`delete from search_words where word = 'zyxwv'`.execute(db);
  expect(await kept.refresh()).toBe(words.length);
});

test("D2 where the database has other stems, it says so once and goes on reading words itself", async () => {
  const other = keepWords(db);
  await sql`alter text search configuration farthing alter mapping for asciiword with simple`.execute(db);
  try {
    await sql`update search_words_revision set revision = revision + 1`.execute(db);
    await expect(other.refresh()).rejects.toThrow(StemsDifferError);
    expect(await other.refresh()).toBeNull();
    expect(await other.read(asked("boots"))).toEqual(await fromDatabase(asked("boots")));
  } finally {
    await sql`alter text search configuration farthing alter mapping for asciiword with english_stem`.execute(db);
  }
});

test("R1 a list whose loading failed is loaded by the next call, and until then the last one is read", async () => {
  await kept.refresh();
  const failing = { at: Infinity, statements: 0 };
  const flaky = db.withPlugin({
    transformQuery({ node }) {
      failing.statements += 1;
      if (failing.statements === failing.at) throw new Error("connection lost");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const other = keepWords(flaky);
  expect(await other.refresh()).toBe(words.length);
  const whole = failing.statements;
  for (let at = 1; at <= whole; at += 1) {
    await sql`update search_words_revision set revision = revision + 1`.execute(db);
    Object.assign(failing, { at, statements: 0 });
    await expect(other.refresh(), `at statement ${at}`).rejects.toThrow("connection lost");
    const before = failing.statements;
    expect(await other.read(asked("boots"))).toEqual(await fromDatabase(asked("boots")));
    expect(failing.statements, "the last list is read").toBe(before);
    failing.at = Infinity;
    expect(await other.refresh(), `after statement ${at}`).toBe(words.length);
  }
});
