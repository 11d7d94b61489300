/**
 * Search over a large catalogue (D2): measures how often a query with a typo finds the intended offer, response times, and what one search and one
 * suggestion cost beside a plain indexed select.
 * Run alone with: node bench/search/run.ts [--offers 100000] [--retailers 10000] [--queries 2000] [--concurrency 4]
 * Starts its own embedded PostgreSQL in a temporary folder, with fsync on. Loading takes about a minute.
 */
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { keepWords } from "@farthing/core/search/kept-words.server.ts";
import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { parseArgs } from "node:util";
import { loadCatalogue } from "./load-catalogue.ts";
import { measure, measureSuggestions } from "./measure.ts";
import { ask } from "./questions.ts";
import { makeCatalogue } from "./synthetic-catalogue.ts";

const { values } = parseArgs({
  options: {
    offers: { type: "string", default: "100000" },
    retailers: { type: "string", default: "10000" },
    queries: { type: "string", default: "2000" },
    concurrency: { type: "string", default: "4" },
  },
});
const size = { offers: Number(values.offers), retailers: Number(values.retailers) };
const queryCount = Number(values.queries);
const now = new Date("2026-11-20T12:00:00Z");
const server = await startThrowawayServer({ durable: true });
try {
  await migrate(server.url);
  const { db, close } = openDatabase({ url: server.url, max: 10 });
  const catalogue = makeCatalogue(size);
  const brandId = (await timed("load", () => loadCatalogue(db, catalogue, now)))[0]!;
  await timed("index everything", () => indexCatalogue(db, { now }));
  await timed("index again, nothing changed", () => indexCatalogue(db, { now }));
  const kept = keepWords(db);
  const words = await timed("words read into memory, as the server does", () => kept.refresh());
  console.log(`${words?.toLocaleString("en-GB")} words`);
  const questions = ask(catalogue, queryCount);
  for (const question of questions.slice(0, 200))
    await searchCatalogue(db, { brandId, now, query: question.query, sort: "relevance", page: 1 }, kept.read);
  console.log(`${size.offers.toLocaleString("en-GB")} offers of ${size.retailers.toLocaleString("en-GB")} retailers`);
  for (const concurrency of new Set([1, 2, Number(values.concurrency)])) {
    await measure(db, { brandId, now, words: kept.read, questions, concurrency, isJudged: concurrency === 2 });
  }
  await measureSuggestions(db, { brandId, now, words: kept.read, retailers: catalogue.retailers });
  await close();
} finally {
  await server.stop();
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  return result;
}
