import { searchCatalogue, suggest } from "@farthing/core/search/queries.server.ts";
import type { WordReader } from "@farthing/core/search/words.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { report } from "../figures.ts";
import type { Question } from "./questions.ts";
import { mulberry32, type SyntheticCatalogue } from "./synthetic-catalogue.ts";

/** `selects`: the cost of one, in plain indexed selects of the same run. `tail`: p99 of p50. `hits`: per cent of typos. */
const TARGET = { search: { selects: 20, tail: 3, hits: 99.5 }, suggestions: { selects: 10 } };

/** Seconds that plain indexed selects take, by the same client, `concurrency` at a time. */
async function timeSelects(db: Db, { count, concurrency }: { count: number; concurrency: number }): Promise<number> {
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let index = 0; index < count / concurrency; index += 1)
        await sql`select name from brands where slug = 'brand0'`.execute(db);
    }),
  );
  return (performance.now() - begin) / 1_000;
}

/** The machine's speed changes within seconds: selects are measured by turns with the work. */
const TURNS = 40;
const SELECTS_A_TURN = 400;

/** Works through the tasks, `concurrency` at a time, by turns with plain selects; prints both rates and returns the cost of one in plain selects. */
async function costOf(
  db: Db,
  { what, concurrency }: { what: string; concurrency: number },
  tasks: readonly (() => Promise<void>)[],
): Promise<number> {
  const perTurn = Math.ceil(tasks.length / TURNS);
  const seconds = { tasks: 0, selects: 0 };
  let selects = 0;
  for (let from = 0; from < tasks.length; from += perTurn) {
    seconds.selects += await timeSelects(db, { count: SELECTS_A_TURN, concurrency });
    selects += SELECTS_A_TURN;
    const turn = tasks.slice(from, from + perTurn);
    const begin = performance.now();
    let next = 0;
    const work = async () => {
      for (let task = turn[next++]; task; task = turn[next++]) await task();
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    seconds.tasks += (performance.now() - begin) / 1_000;
  }
  const [rate, machine] = [tasks.length / seconds.tasks, selects / seconds.selects];
  const whole = (number: number) => Math.round(number).toLocaleString("en-GB");
  console.log(
    `\n${what}, ${concurrency} at a time: ${whole(rate)}/s where this machine makes ${whole(machine)} plain indexed selects/s`,
  );
  return machine / rate;
}

/** Runs all queries, `concurrency` at a time, and prints times and hits by kind. Reports them where `isJudged`. */
export async function measure(
  db: Db,
  {
    brandId,
    now,
    words,
    questions,
    concurrency,
    isJudged,
  }: { brandId: string; now: Date; words: WordReader; questions: Question[]; concurrency: number; isJudged: boolean },
): Promise<void> {
  const results = new Map<string, { times: number[]; hits: number; asked: number; missed: string[] }>();
  const ask = async (question: Question) => {
    const begin = performance.now();
    const answer = await searchCatalogue(
      db,
      { brandId, now, query: question.query, sort: "relevance", page: 1 },
      words,
    );
    const result = results.get(question.kind) ?? { times: [], hits: 0, asked: 0, missed: [] };
    results.set(question.kind, result);
    result.times.push(performance.now() - begin);
    if (!question.isHit) return;
    result.asked += 1;
    if (question.isHit(answer)) result.hits += 1;
    else result.missed.push(question.query);
  };
  const selects = await costOf(
    db,
    { what: "Searches", concurrency },
    questions.map((question) => () => ask(question)),
  );
  for (const [kind, { times, hits, asked }] of results) {
    console.log(`  ${kind.padEnd(38)} ${milliseconds(times)}${asked ? `  hits ${percent(hits, asked)}` : ""}`);
  }
  const all = [...results.values()];
  const slips = [...results].filter(([kind]) => kind.includes("one slip")).map(([, result]) => result);
  const hits = slips.reduce((sum, result) => sum + result.hits, 0);
  const asked = slips.reduce((sum, result) => sum + result.asked, 0);
  const times = all.flatMap((result) => result.times);
  console.log(`  ${"all".padEnd(38)} ${milliseconds(times)}`);
  if (isJudged) {
    report({
      what: `one search, ${concurrency} at a time, in plain indexed selects`,
      value: selects,
      unit: "selects",
      target: { atMost: TARGET.search.selects },
    });
    report({
      what: `searches' p99, ${concurrency} at a time, of p50`,
      value: quantile(times, 0.99) / quantile(times, 0.5),
      unit: "times",
      target: { atMost: TARGET.search.tail },
    });
    report({
      what: `typos found, ${concurrency} at a time`,
      value: (hits * 100) / asked,
      unit: "%",
      target: { atLeast: TARGET.search.hits },
    });
  }
  if (process.env["SHOW_MISSES"]) for (const [kind, { missed }] of results) console.log(kind, missed.slice(0, 15));
}

/** Types the beginnings of retailers' names, two people at a time. */
export async function measureSuggestions(
  db: Db,
  {
    brandId,
    now,
    words,
    retailers,
  }: { brandId: string; now: Date; words: WordReader } & Pick<SyntheticCatalogue, "retailers">,
): Promise<void> {
  const random = mulberry32(11);
  const typed = Array.from({ length: 600 }, (_, index) => {
    const { name } = retailers[Math.floor(random() * retailers.length)]!;
    return name.slice(0, 1 + (index % name.length));
  });
  const times: number[] = [];
  const concurrency = 2;
  const type = async (query: string) => {
    const begin = performance.now();
    await suggest(db, { brandId, now, query }, words);
    times.push(performance.now() - begin);
  };
  const selects = await costOf(
    db,
    { what: "Suggestions while typing", concurrency },
    typed.map((query) => () => type(query)),
  );
  console.log(`  ${milliseconds(times)}`);
  report({
    what: `one suggestion, ${concurrency} at a time, in plain indexed selects`,
    value: selects,
    unit: "selects",
    target: { atMost: TARGET.suggestions.selects },
  });
}

function quantile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
function milliseconds(times: number[]): string {
  return (
    ["p50", "p95", "p99"]
      .map(
        (name) =>
          `${name} ${quantile(times, Number(name.slice(1)) / 100)
            .toFixed(1)
            .padStart(6)}`,
      )
      .join("  ") + " ms"
  );
}
function percent(part: number, whole: number): string {
  return `${((part * 100) / whole).toFixed(1)} %`;
}
