import { databaseWords } from "@farthing/core/search/words.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { Closing } from "../process/shutdown.ts";
import { openWords } from "./open-words.ts";

const { db, pool } = await testDatabase();

const asked = {
  ...{ brandId: "00000000-0000-0000-0000-000000000001", query: "boot", wide: false, completeKnown: true },
  ...{ withPairs: true, maxWords: 12, maxCompletions: 8, maxCandidates: 40 },
};

beforeAll(async () => {
  await sql`insert into search_words (word, lexeme, occurrences, slips)
    values ('boots', 'boot', 9, search_slips('boots')), ('boat', 'boat', 2, search_slips('boat'))`.execute(db);
});

/** Opens the words for one test, with what the log says and the statements that they execute. */
function opened() {
  const closing: Closing[] = [];
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(message);
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { read, look } = openWords({ db: counted, logger: { info: say, warn: say, error: say }, closing });
  const statementsOf = async (work: () => Promise<unknown>) => {
    const before = statements;
    await work();
    return statements - before;
  };
  return { read, look, said, statementsOf, close: () => Promise.all(closing.map((part) => part.close())) };
}

test("D2 a process reads the words of searches from memory once it has loaded them, and again after a change", async () => {
  const { read, look, said, statementsOf, close } = opened();
  const first = read(asked); // before anything can be loaded
  const fromDatabase = await databaseWords(db)(asked);
  expect(await first).toEqual(fromDatabase);
  await expect.poll(() => statementsOf(() => read(asked))).toBe(0);
  expect(await read(asked)).toEqual(fromDatabase);
  await sql`update search_words set occurrences = 10 where word = 'boots'`.execute(db);
  look();
  await expect.poll(async () => (await read(asked)).typed[0]?.occurrences).toBe(10);
  expect(said).toEqual([]);
  await close();
});

test("D2 each web process is told when the words have changed", async () => {
  const client = await pool.connect();
  const told: string[] = [];
  client.on("notification", ({ channel }) => told.push(channel));
  await client.query("listen site_content");
  await sql`update search_words set occurrences = 11 where word = 'boots'`.execute(db);
  await expect.poll(() => told).toEqual(["site_content"]);
  await sql`update search_words set occurrences = 12 where word = 'unwritten'`.execute(db);
  await client.query("select");
  expect(told).toEqual(["site_content"]);
  client.release(true);
});

test("D2 where the database has other stems, the log says so once and searches go on", async () => {
  await sql`alter text search configuration farthing alter mapping for asciiword with simple`.execute(db);
  const { read, said, statementsOf, close } = opened();
  await expect.poll(() => said).toEqual(["searches ask the database for their words, which takes longer"]);
  expect(await read(asked)).toEqual(await databaseWords(db)(asked));
  expect(await statementsOf(() => read(asked))).toBeGreaterThan(0);
  await close();
});
