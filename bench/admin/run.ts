/**
 * The operators' admin on a large club (A2, A3): what every list, search, figure of the home page and record costs the database. Loads a club by statements over
 * sets, checks its books, opens every screen of the built admin as an owner, and prints p50 and p95 of the slowest statement of each page, with the plan of whatever misses.
 * Run alone with: node bin/run.mjs bench/admin/run.ts [--members 1000000] [--offers 100000] [--entries 10000000] [--repeats 20] [--only /admin/members]
 * A million members take some 9 GB and a quarter of an hour. Starts its own embedded PostgreSQL, without fsync, in a temporary folder. Needs a built admin.
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { noteStatements } from "@farthing/db/testing/noted-statements.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import type pg from "pg";
import { isSmoke, report } from "../figures.ts";
import { loadClub } from "./load-club.ts";
import { measurePages, share, type Measured } from "./measure-pages.ts";
import { openAdmin } from "./open-admin.ts";
import { findBusiest, findWords, nameFigure } from "./what-to-open.ts";

const { values } = parseArgs({
  options: {
    members: { type: "string", default: "1000000" },
    offers: { type: "string", default: "100000" },
    entries: { type: "string", default: "10000000" },
    repeats: { type: "string", default: "20" },
    only: { type: "string", default: "" },
  },
});
const [members, offers, entries, repeats] = [values.members, values.offers, values.entries, values.repeats].map(
  Number,
) as [number, number, number, number];
if (![members, offers, entries, repeats].every((count) => Number.isSafeInteger(count) && count >= 0))
  throw new Error("--members, --offers, --entries and --repeats take whole numbers.");

const TARGET_MS = 100;
const now = new Date();

const server = await startThrowawayServer({
  settings: { shared_buffers: "1GB", max_wal_size: "8GB", effective_cache_size: "4GB" },
});
const { pool, close } = openDatabase({ url: server.url, max: 1 });
try {
  await migrate(server.url);
  await loadClub(server.url, {
    ...{ size: { members, offers, entries }, now },
    onStep: (makes, ms) => console.log(`  ${makes}: ${(ms / 1000).toFixed(1)} s`),
  });
  const noted = noteStatements(pool);
  const books = await checkLedger(noted.db);
  if (books.faults.length > 0) throw new Error(`The loaded books have faults: ${books.faults[0]}`);
  console.log(
    `${whole(members)} members, ${whole(offers)} offers, ${whole(books.entries)} ledger entries that balance, ${await sizeOf(pool)}; ${loadOfMachine()}`,
  );

  const admin = await openAdmin(noted.db, { now });
  const found: Measured[] = [];
  const probe = {
    ...{
      noted,
      pool,
      repeats,
      targetMs: TARGET_MS,
      perPattern: isSmoke ? 1 : 4,
      maxChoices: isSmoke ? 2 : 6,
      days: ["2000-01-01", now.toISOString().slice(0, 10)],
    },
    ask: admin.ask,
    also: await findBusiest(pool),
    words: (await findWords(pool)).slice(0, isSmoke ? 2 : undefined),
  };
  for await (const measured of measurePages(probe, nameFigure))
    if (measured.address.startsWith(values.only)) found.push(measured);
  console.log(`  ${found.length} addresses; ${loadOfMachine()}\n`);
  printTable(found);
  await printMissed(pool, found);
  if (admin.errors.length > 0) throw new Error(`Pages failed: ${String(admin.errors[0])}`, { cause: admin.errors[0] });
} finally {
  await close();
  await server.stop();
}

function printTable(found: readonly Measured[]): void {
  const rows = Map.groupBy(found, ({ pattern, what }) => `${pattern} | ${what}`);
  console.log("| Screen | What | Addresses | p50 ms | p95 ms | |\n| --- | --- | ---: | ---: | ---: | --- |");
  for (const [name, group] of rows) {
    const worst = Math.max(...group.map((one) => share(one.times, 0.95)));
    const verdict = group.some(({ problem }) => problem) ? "FAILED" : worst < TARGET_MS ? "met" : "MISSED";
    console.log(
      `| ${name} | ${group.length} | ${share(
        group.flatMap(({ times }) => times),
        0.5,
      ).toFixed(1)} | ${worst.toFixed(1)} | ${verdict} |`,
    );
  }
  console.log(
    "\nEach address counts by its slowest statement. p50 is that of all addresses of a row, p95 that of the slowest one; what misses is measured again, at most twice.\n",
  );
  const isHome = ({ what }: Measured) => what.startsWith("home:");
  const slowest = (of: readonly Measured[]) => Math.max(0, ...of.map(({ times }) => share(times, 0.95)));
  const target = { atMost: TARGET_MS };
  report({
    what: "lists: p95 of the slowest order, page, filter or search",
    value: slowest(found.filter(({ what }) => /^(first|order|deep|filter|search)/.test(what))),
    unit: "ms",
    target,
  });
  report({ what: "home page: p95 of the slowest figure", value: slowest(found.filter(isHome)), unit: "ms", target });
  report({
    what: "records and other pages: p95 of the slowest statement",
    value: slowest(found.filter((one) => !isHome(one) && /^(record|page)/.test(one.what))),
    unit: "ms",
    target,
  });
  const failed = found.filter(({ problem }) => problem !== null);
  report({
    what: "addresses that were not answered with a page",
    value: failed.length,
    unit: "",
    target: { atMost: 0 },
  });
  for (const { address, problem } of failed) console.log(`  ${address}: ${problem}`);
  if (isSmoke && failed.length > 0) process.exitCode = 1;
}

async function printMissed(from: pg.Pool, found: readonly Measured[]): Promise<void> {
  if (isSmoke) return;
  const missed = found.filter(({ times }) => share(times, 0.95) >= TARGET_MS);
  const shown = [...Map.groupBy(missed, ({ pattern, what }) => `${pattern} ${what}`).values()].map(
    (group) => group.toSorted((one, other) => share(other.times, 0.95) - share(one.times, 0.95))[0]!,
  );
  for (const { address, what, times, slowest } of shown) {
    console.log(
      `\nMISSED ${address} (${what}): p95 ${share(times, 0.95).toFixed(0)} ms\n${slowest.text}\n${JSON.stringify(slowest.parameters)}`,
    );
    const { rows } = await from.query<{ "QUERY PLAN": string }>(`explain (analyze, buffers) ${slowest.text}`, [
      ...slowest.parameters,
    ]);
    console.log(rows.map((row) => `  ${row["QUERY PLAN"]}`).join("\n"));
  }
}

async function sizeOf(from: pg.Pool): Promise<string> {
  const { rows } = await from.query<{ size: string }>(
    "select pg_size_pretty(pg_database_size(current_database())) as size",
  );
  return rows[0]?.size ?? "";
}

/** Other programs make every figure longer: what the figures are worth. */
function loadOfMachine(): string {
  return `${availableParallelism()} processors (${cpus()[0]?.model ?? "unknown"}), load of the last minute ${loadavg()[0]!.toFixed(1)}`;
}

function whole(count: number): string {
  return count.toLocaleString("en-GB");
}
