/**
 * Search over a large catalogue (product.md D2): how often a typo still finds what was meant, and how long answers take.
 * Alone: node bench/search/run.ts [--offers 100000] [--retailers 10000] [--queries 2000] [--concurrency 4]
 * It starts its own embedded PostgreSQL in a temporary folder, with fsync on, and takes about a minute to load.
 */
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { searchCatalogue, suggest } from "@farthing/core/search/queries.server.ts";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { parseArgs } from "node:util";
import { loadCatalogue } from "./load-catalogue.ts";
import { makeCatalogue, mulberry32, type SyntheticCatalogue } from "./synthetic-catalogue.ts";
import { misspell } from "./typos.ts";

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
const TARGET = { p99: 25, hits: 97, suggestP99: 50 };

interface Question {
  kind: string;
  query: string;
  /** Whether the answer has what was meant; null where only the time counts. */
  isHit: ((answer: Awaited<ReturnType<typeof searchCatalogue>>) => boolean) | null;
}

const server = await startThrowawayServer({ durable: true });
try {
  await migrate(server.url);
  const { db, close } = openDatabase({ url: server.url, max: 10 });
  const catalogue = makeCatalogue(size);
  const brandId = (await timed("load", () => loadCatalogue(db, catalogue, now)))[0]!;
  await timed("index everything", () => indexCatalogue(db, { now }));
  await timed("index again, nothing changed", () => indexCatalogue(db, { now }));
  const questions = ask(catalogue, queryCount);
  for (const question of questions.slice(0, 200)) await searchCatalogue(db, { brandId, now, query: question.query, sort: "relevance", page: 1 });
  for (const concurrency of new Set([1, Number(values.concurrency)])) await measure(db, brandId, questions, concurrency);
  await measureSuggestions(db, brandId, catalogue);
  await close();
} finally {
  await server.stop();
}

/** Questions as visitors ask them; each kind in turn, so that every run meets the same mix. */
function ask({ retailers, offers, categories }: SyntheticCatalogue, count: number): Question[] {
  const random = mulberry32(7);
  const below = (limit: number) => Math.floor(random() * limit);
  // The brand measured is the first: it does not show every eighth retailer.
  const shownRetailers = retailers.filter((_, index) => index % 8 !== 0);
  const shownOffers = offers.filter(({ retailer }) => retailer % 8 !== 0);
  const kinds: (() => Question)[] = [
    () => {
      const { slug, name } = shownRetailers[below(shownRetailers.length)]!;
      return { kind: "retailer's name, one slip", query: misspell(name, random), isHit: (answer) => answer.retailers.some((retailer) => retailer.slug === slug) };
    },
    () => {
      const offer = shownOffers[below(shownOffers.length)]!;
      const query = misspell(`${offer.title} ${retailers[offer.retailer]!.name}`, random);
      return { kind: "offer's title and retailer, one slip", query, isHit: (answer) => answer.offers.some(({ publicId }) => publicId === offer.publicId) };
    },
    () => {
      const { title } = shownOffers[below(shownOffers.length)]!;
      return { kind: "offer's title alone, one slip", query: misspell(title, random), isHit: (answer) => answer.offers.some((offer) => offer.title === title) };
    },
    () => {
      const { slug, name } = shownRetailers[below(shownRetailers.length)]!;
      return { kind: "retailer's name as it is", query: name, isHit: (answer) => answer.retailers[0]?.slug === slug };
    },
    () => ({ kind: "one common word", query: ["free", "delivery", "sofas", "insurance", "trainers", "20%", "clearance", "tickets"][below(8)]!, isHit: (answer) => answer.offers.length > 0 }),
    () => ({ kind: "common words that never meet", query: ["sofas sushi", "pizza insurance", "trainers cruises", "laptops curry"][below(4)]!, isHit: null }),
    () => ({ kind: "category", query: categories[below(categories.length)]!.name, isHit: (answer) => answer.categories.length > 0 }),
    () => ({ kind: "nothing there", query: ["zzxqy vvkkw", "'; drop table offers; --", "🦊🦊🦊", "!(&|<->:*)", "qwertyuiopasdf"][below(5)]!, isHit: null }),
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]!());
}

async function measure(db: Db, brandId: string, questions: Question[], concurrency: number): Promise<void> {
  const results = new Map<string, { times: number[]; hits: number; asked: number; missed: string[] }>();
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let question = questions[next++]; question; question = questions[next++]) {
        const begin = performance.now();
        const answer = await searchCatalogue(db, { brandId, now, query: question.query, sort: "relevance", page: 1 });
        const result = results.get(question.kind) ?? { times: [], hits: 0, asked: 0, missed: [] };
        results.set(question.kind, result);
        result.times.push(performance.now() - begin);
        if (!question.isHit) continue;
        result.asked += 1;
        if (question.isHit(answer)) result.hits += 1;
        else result.missed.push(question.query);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  console.log(`\nSearch, ${size.offers.toLocaleString("en-GB")} offers of ${size.retailers.toLocaleString("en-GB")} retailers, ${concurrency} at a time: ${Math.round(questions.length / seconds)} searches/s`);
  for (const [kind, { times, hits, asked }] of results) {
    console.log(`  ${kind.padEnd(38)} ${milliseconds(times)}${asked ? `  hits ${percent(hits, asked)}` : ""}`);
  }
  const all = [...results.values()];
  const slips = [...results].filter(([kind]) => kind.includes("one slip")).map(([, result]) => result);
  const hits = slips.reduce((sum, result) => sum + result.hits, 0);
  const asked = slips.reduce((sum, result) => sum + result.asked, 0);
  const p99 = quantile(all.flatMap(({ times }) => times), 0.99);
  console.log(`  ${"all".padEnd(38)} ${milliseconds(all.flatMap(({ times }) => times))}`);
  console.log(`  p99 ${p99.toFixed(1)} ms, target ${TARGET.p99}: ${p99 <= TARGET.p99 ? "met" : "MISSED"}; typo hits ${percent(hits, asked)}, target ${TARGET.hits} %: ${(hits * 100) / asked >= TARGET.hits ? "met" : "MISSED"}`);
  if (process.env["SHOW_MISSES"]) for (const [kind, { missed }] of results) console.log(kind, missed.slice(0, 15));
}

async function measureSuggestions(db: Db, brandId: string, { retailers }: SyntheticCatalogue): Promise<void> {
  const random = mulberry32(11);
  const times: number[] = [];
  for (let index = 0; index < 300; index += 1) {
    const { name } = retailers[Math.floor(random() * retailers.length)]!;
    const query = name.slice(0, 1 + (index % name.length));
    const begin = performance.now();
    await suggest(db, { brandId, now, query });
    times.push(performance.now() - begin);
  }
  const p99 = quantile(times, 0.99);
  console.log(`\nSuggestions while typing  ${milliseconds(times)}  target p99 ${TARGET.suggestP99}: ${p99 <= TARGET.suggestP99 ? "met" : "MISSED"}`);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  return result;
}

function quantile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
function milliseconds(times: number[]): string {
  return ["p50", "p95", "p99"].map((name) => `${name} ${quantile(times, Number(name.slice(1)) / 100).toFixed(1).padStart(6)}`).join("  ") + " ms";
}
function percent(part: number, whole: number): string {
  return `${((part * 100) / whole).toFixed(1)} %`;
}
