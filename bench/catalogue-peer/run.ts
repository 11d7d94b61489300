/**
 * Compares a category's listing and a search with the same in Vendure, a shop on PostgreSQL: the same products, one PostgreSQL, by turns in one run.
 * Run alone with: node bench/catalogue-peer/run.ts [--offers 10000] [--retailers 1000] [--requests 90] [--rounds 3]
 * Installs the peer in bench/peers/vendure if needed. Vendure's index of 10,000 products takes one to two minutes, of 100,000 a quarter of an hour or more.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { OFFERS_PER_PAGE } from "@farthing/core/catalogue/rules.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { sql } from "kysely";
import { report } from "../figures.ts";
import { installedPeer } from "../install-peer.ts";
import { MeasuredServer } from "../pages/measured-server.ts";
import { loadCatalogue } from "../search/load-catalogue.ts";
import { ask, type Question } from "../search/questions.ts";
import { makeCatalogue } from "../search/synthetic-catalogue.ts";
import { askAll } from "./ask.ts";
import { postgresProcessor } from "./postgres-processor.ts";
import { farthing, vendure, type Asked, type Side } from "./sides.ts";

const { values } = parseArgs({
  options: {
    offers: { type: "string", default: "10000" },
    retailers: { type: "string" },
    requests: { type: "string", default: "90" },
    rounds: { type: "string", default: "3" },
  },
});
const size = { offers: Number(values.offers), retailers: Number(values.retailers ?? Number(values.offers) / 10) };
const requests = Number(values.requests);
const rounds = Number(values.rounds);
const now = new Date("2026-11-20T12:00:00Z");
const CONCURRENCY = 2;
/** Listings have so many times the rounds of searches: a round of them is short, and the machine's other load would decide it. */
const LISTING_ROUNDS = 10;
/** At most, of Vendure's time, in per cent. */
const TARGET = 50;
const root = path.resolve(import.meta.dirname, "../..");
const ports = { farthing: 4811, vendure: 4812 };

interface Running {
  side: Side;
  server: MeasuredServer;
}

/** What one side took for one round's requests. */
interface Cost {
  times: number[];
  elapsedMs: number;
  nodeMs: number;
  postgresMs: number;
}

const peer = installedPeer("vendure");
const database = await startThrowawayServer({ durable: true });
const running: Running[] = [];
const { db, close } = openDatabase({ url: database.url });
try {
  const catalogue = makeCatalogue(size);
  await sql`create database vendure`.execute(db);
  const peerUrl = new URL(database.url);
  peerUrl.pathname = "/vendure";

  await migrate(database.url);
  const [brandId = ""] = await timed("Farthing's catalogue", () => loadCatalogue(db, catalogue, now));
  await timed("Farthing's index", () => indexCatalogue(db, { now }));
  await sql`vacuum analyze`.execute(db);
  await timed("Vendure's shop and index", () =>
    runInPeer("make-shop.ts", [peerUrl.href, String(size.offers), String(size.retailers)]),
  );

  start(farthing, {
    args: ["bench/catalogue-peer/own-server.ts", database.url, String(ports.farthing), brandId, now.toISOString()],
    cwd: root,
    port: ports.farthing,
    env: { NODE_ENV: "production" },
  });
  start(vendure(catalogue, { perPage: OFFERS_PER_PAGE }), {
    args: ["serve-shop.ts", peerUrl.href, String(ports.vendure)],
    cwd: peer,
    port: ports.vendure,
    env: peerEnv(),
  });
  const slugs = catalogue.categories.map(({ slug }) => slug);
  await running[0]!.server.ready(`/categories/${slugs[0]}`);
  await running[1]!.server.ready("/health");

  const questions = ask(catalogue, requests);
  await checkListings(slugs);
  await printFound(questions);
  const postgresMs = await postgresProcessor(db);
  printLoad();
  await compare("a category's listing", {
    rounds: rounds * LISTING_ROUNDS,
    postgresMs,
    questionsOf: ({ listing }) => Array.from({ length: requests }, (_, index) => listing(slugs[index % slugs.length]!)),
  });
  await compare("a search", {
    ...{ rounds, postgresMs },
    questionsOf: ({ search }) => questions.map(({ query }) => search(query)),
  });
  printLoad();
} finally {
  for (const { server } of running) await server.stop();
  await close();
  await database.stop();
}

function start(side: Side, options: Omit<ConstructorParameters<typeof MeasuredServer>[0], "command">): void {
  running.push({ side, server: new MeasuredServer({ command: process.execPath, ...options }) });
}

/** As in production, and without calls to its maker's server. */
function peerEnv(): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", VENDURE_DISABLE_TELEMETRY: "true" };
}

async function runInPeer(file: string, args: string[]): Promise<void> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: peer,
    stdio: "inherit",
    env: { ...process.env, ...peerEnv() },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${file} of the peer ended with ${code}.`);
}

/** Checks that both sides list the same offers in the same order, because shorter lists are faster. @throws Error if they don't */
async function checkListings(slugs: string[]): Promise<void> {
  const found = await answersOf(({ listing }) => slugs.map((slug) => listing(slug)));
  const [ours = [], theirs = []] = found.map(({ side, texts }) => texts.map((text) => side.readListing(text)));
  for (const [index, slug] of slugs.entries())
    if (JSON.stringify(ours[index]) !== JSON.stringify(theirs[index]))
      throw new Error(
        `${slug} lists ${ours[index]?.total} offers here and ${theirs[index]?.total} in Vendure, or others first: bring bench/peers/vendure in line.`,
      );
  console.log(`The ${slugs.length} categories list the same offers on both sides.`);
  printBytes("listing", found);
}

/** Prints how many of the questions of each kind find what was meant. */
async function printFound(questions: Question[]): Promise<void> {
  const found = await answersOf(({ search }) => questions.map(({ query }) => search(query)));
  printBytes("search", found);
  const pages = found.map(({ side, texts }) => texts.map((text) => side.readSearch(text)));
  console.log(
    `\n| Question | asked | ${found.map(({ side }) => `${side.name} finds`).join(" | ")} |\n|---|---:|---:|---:|`,
  );
  for (const kind of new Set(questions.map((question) => question.kind))) {
    const asked = questions.flatMap((question, index) => (question.kind === kind && question.isHit ? [index] : []));
    if (asked.length === 0) continue;
    const hits = pages.map((answers) => asked.filter((index) => questions[index]!.isHit?.(answers[index]!)).length);
    console.log(`| ${kind} | ${asked.length} | ${hits.join(" | ")} |`);
  }
}

/** Returns both sides' answers, which are not measured. They also warm both up. */
async function answersOf(questionsOf: (side: Side) => Asked[]): Promise<{ side: Side; texts: string[] }[]> {
  const found: { side: Side; texts: string[] }[] = [];
  for (const { side, server } of running)
    found.push({ side, texts: (await askAll(server.url, questionsOf(side), CONCURRENCY)).texts });
  return found;
}

function printBytes(what: string, found: { side: Side; texts: string[] }[]): void {
  for (const { side, texts } of found)
    console.log(`A ${what} of ${side.name}: ${Math.round(Buffer.byteLength(texts.join("")) / texts.length)} bytes`);
}

function printLoad(): void {
  const loads = loadavg().map((load) => load.toFixed(1));
  console.log(`Load of the machine: ${loads.join(", ")}`);
}

/** Measures both sides by turns, prints what a request costs each, and reports our time of Vendure's. */
async function compare(
  what: string,
  {
    rounds,
    postgresMs,
    questionsOf,
  }: { rounds: number; postgresMs: () => number; questionsOf: (side: Side) => Asked[] },
): Promise<void> {
  const costs = running.map((): Cost[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const sides = [...running.entries()];
    for (const [index, { side, server }] of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = { node: server.processorMs(), postgres: postgresMs() };
      const { times, elapsedMs } = await askAll(server.url, questionsOf(side), CONCURRENCY);
      costs[index]!.push({
        ...{ times, elapsedMs },
        nodeMs: server.processorMs() - before.node,
        postgresMs: postgresMs() - before.postgres,
      });
    }
  }
  const rows = running.map(({ side }, index) => {
    const times = costs[index]!.flatMap((cost) => cost.times);
    const mean = (of: (cost: Cost) => number) => costs[index]!.reduce((sum, cost) => sum + of(cost), 0) / times.length;
    return {
      name: side.name,
      perSecond: 1_000 / mean(({ elapsedMs }) => elapsedMs),
      milliseconds: [
        ...[quantile(times, 0.5), quantile(times, 0.99)],
        ...[mean(({ nodeMs }) => nodeMs), mean(({ postgresMs }) => postgresMs)],
      ],
      processorMs: mean(({ nodeMs, postgresMs }) => nodeMs + postgresMs),
    };
  });
  console.log(
    `\n| ${what}, ${CONCURRENCY} at a time | requests/s | p50 ms | p99 ms | CPU ms of Node | CPU ms of PostgreSQL |\n|---|---:|---:|---:|---:|---:|`,
  );
  for (const { name, perSecond, milliseconds } of rows)
    console.log(`| ${[name, ...[perSecond, ...milliseconds].map((number) => number.toFixed(1))].join(" | ")} |`);
  const [ours = [], theirs = []] = costs;
  const shares = ours.map(({ elapsedMs }, round) => (100 * elapsedMs) / theirs[round]!.elapsedMs);
  const [least, most] = [quantile(shares, 0), quantile(shares, 1)].map((share) => share.toFixed(1));
  console.log(`Of Vendure's time, in ${rounds} rounds: ${least} to ${most} %`);
  const processorShare = ((100 * rows[0]!.processorMs) / rows[1]!.processorMs).toFixed(1);
  report({
    what: `${what}, of Vendure's time (of its processor time ${processorShare} %)`,
    value: quantile(shares, 0.5),
    unit: "%",
    target: { atMost: TARGET },
  });
}

function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  return result;
}
