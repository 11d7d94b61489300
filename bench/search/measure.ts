import { searchCatalogue, suggest } from "@farthing/core/search/queries.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { report } from "../figures.ts";
import type { Question } from "./questions.ts";
import { mulberry32, type SyntheticCatalogue } from "./synthetic-catalogue.ts";

const TARGET = { p99: 25, hits: 97, suggestP99: 50 };

/** Measures the machine's current speed with selects by primary key, which shows other load. */
export async function measureMachine(db: Db, concurrency: number): Promise<void> {
  const count = 8_000;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let index = 0; index < count / concurrency; index += 1)
        await sql`select name from brands where slug = 'brand0'`.execute(db);
    }),
  );
  console.log(
    `\nThis machine, now: ${Math.round(count / ((performance.now() - begin) / 1_000)).toLocaleString("en-GB")} plain indexed selects/s, ${concurrency} at a time`,
  );
}

/** Runs all queries, `concurrency` at a time, and prints times and hits by kind. */
export async function measure(
  db: Db,
  { brandId, now, questions, concurrency }: { brandId: string; now: Date; questions: Question[]; concurrency: number },
): Promise<void> {
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
  console.log(`\nSearch, ${concurrency} at a time: ${Math.round(questions.length / seconds)} searches/s`);
  for (const [kind, { times, hits, asked }] of results) {
    console.log(`  ${kind.padEnd(38)} ${milliseconds(times)}${asked ? `  hits ${percent(hits, asked)}` : ""}`);
  }
  const all = [...results.values()];
  const slips = [...results].filter(([kind]) => kind.includes("one slip")).map(([, result]) => result);
  const hits = slips.reduce((sum, result) => sum + result.hits, 0);
  const asked = slips.reduce((sum, result) => sum + result.asked, 0);
  const p99 = quantile(
    all.flatMap(({ times }) => times),
    0.99,
  );
  console.log(`  ${"all".padEnd(38)} ${milliseconds(all.flatMap(({ times }) => times))}`);
  report({ what: `search p99, ${concurrency} at a time`, value: p99, unit: "ms", target: { atMost: TARGET.p99 } });
  report({
    what: `typos found, ${concurrency} at a time`,
    value: (hits * 100) / asked,
    unit: "%",
    target: { atLeast: TARGET.hits },
  });
  if (process.env["SHOW_MISSES"]) for (const [kind, { missed }] of results) console.log(kind, missed.slice(0, 15));
}

export async function measureSuggestions(
  db: Db,
  { brandId, now, retailers }: { brandId: string; now: Date } & Pick<SyntheticCatalogue, "retailers">,
): Promise<void> {
  const random = mulberry32(11);
  const times: number[] = [];
  for (let index = 0; index < 300; index += 1) {
    const { name } = retailers[Math.floor(random() * retailers.length)]!;
    const query = name.slice(0, 1 + (index % name.length));
    const begin = performance.now();
    await suggest(db, { brandId, now, query });
    times.push(performance.now() - begin);
  }
  console.log(`\nSuggestions while typing  ${milliseconds(times)}`);
  report({
    what: "suggestions p99",
    value: quantile(times, 0.99),
    unit: "ms",
    target: { atMost: TARGET.suggestP99 },
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
