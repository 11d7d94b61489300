/**
 * Telemetry in volume (T7): generates events over days, brands, offers and searches, sums them, and prints what each report costs from the sums and from the
 * rows, and what dropping a day costs. Run alone with: node bin/run.mjs bench/telemetry/volume.ts [--millions 100] [--days 30] [--offers 20000] [--skip-rebuild]
 * A hundred million rows take some 20 GB and, on two idle cores, about an hour. `--skip-rebuild` leaves out making all sums again, the longest part. Starts its own embedded PostgreSQL, without fsync, in a temporary folder.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import {
  readBrands,
  readFunnel,
  readOfferConversions,
  readSearchesWithoutResult,
  readTopSearches,
} from "@farthing/core/reports/queries.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { dropDays, openDays } from "@farthing/core/telemetry/days.server.ts";
import { addDays } from "@farthing/core/telemetry/rules.ts";
import { rebuildSums, sumEvents } from "@farthing/core/telemetry/sums.server.ts";
import { rowsReader, sumsReader } from "@farthing/core/telemetry/sums-reader.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { addOwnSums, generateEvents, insertEvents, numberSubjects } from "./generate-events.ts";

const { values } = parseArgs({
  options: {
    millions: { type: "string", default: "100" },
    days: { type: "string", default: "30" },
    offers: { type: "string", default: "20000" },
    brands: { type: "string", default: "8" },
    "skip-rebuild": { type: "boolean", default: false },
  },
});
const [millions, days, offers, brands] = [values.millions, values.days, values.offers, values.brands].map(Number) as [
  number,
  number,
  number,
  number,
];
const rows = Math.round(millions * 1_000_000);
if (!(rows > 0)) throw new Error("--millions takes a number above 0, such as 3 or 0.5.");
const perDay = Math.ceil(rows / days);
const FIRST = "2026-10-01";
const last = addDays(FIRST, days - 1);
const plan = { first: FIRST, days, perDay, brands, offers };

const server = await startThrowawayServer({
  settings: { shared_buffers: "512MB", max_wal_size: "4GB", work_mem: "64MB" },
});
const { db, pool, close } = openDatabase({ url: server.url, max: 4 });
try {
  await migrate(server.url);
  const brandIds: string[] = [];
  for (let index = 0; index < brands; index++) brandIds.push((await insertBrand(db, { slug: `volume-${index}` })).id);
  await makeOffers(brandIds[0]!);
  await openDays(db, { from: FIRST, days });
  console.log(
    `${whole(rows)} events over ${days} days, ${brands} brands, ${whole(offers)} offers; half of the searches are of 200 terms`,
  );

  await timed("generating them", () => generateEvents(pool, plan));
  await pool.query("vacuum analyze telemetry_events");
  const { rows: sizes } = await pool.query<{ table: string; indexes: string }>(
    "select sum(pg_table_size(inhrelid))::bigint as table, sum(pg_indexes_size(inhrelid))::bigint as indexes from pg_inherits where inhparent = 'telemetry_events'::regclass",
  );
  console.log(`  rows ${megabytes(sizes[0]?.table)}, indexes ${megabytes(sizes[0]?.indexes)}`);
  await timed("summing all of them, at once", () => sumEvents(db));
  await timed("summing 20,000 more, as the job does every 20 s", async () => {
    await insertEvents(pool, plan, { day: last, count: 20_000, from: perDay * days });
    return sumEvents(db);
  });
  await addOwnSums(pool);
  await pool.query("vacuum analyze");
  console.log(`  ${loadOfMachine()}`);
  await compare();
  console.log(`  ${loadOfMachine()}`);
  if (!values["skip-rebuild"]) await timed("making all sums again", () => rebuildSums(db));
  await timed("dropping a day", () => dropDays(db, { before: addDays(FIRST, 1) }));
  await timed("the same day's worth of rows, deleted one by one for comparison", () =>
    pool.query("delete from telemetry_events where received_on = $1", [addDays(FIRST, 1)]),
  );
} finally {
  await close();
  await server.stop();
}

async function makeOffers(brandId: string): Promise<void> {
  const networkId = (await insertNetwork(db)).id;
  const shop = await makeShop(db, { brandId, networkId });
  await pool.query(
    `insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at)
     select gen_random_uuid(), 'volume-' || n, $1, $2, 'v' || n, 'cashback', 'Offer ' || n, 'https://shop.example/', '2026-01-01' from generate_series(2, $3) n`,
    [shop.retailerId, networkId, offers],
  );
  await numberSubjects(pool);
}

async function compare(): Promise<void> {
  const range = { brandId: null, from: FIRST, to: last };
  const sources = { sums: { db, telemetry: sumsReader(db) }, rows: { db, telemetry: rowsReader(db) } };
  const reports: [string, (from: (typeof sources)["sums"]) => Promise<unknown>][] = [
    ["funnel, all brands and days", (from) => readFunnel(from, range)],
    ["funnel, one day", (from) => readFunnel(from, { ...range, from: last })],
    ["top 50 searches", (from) => readTopSearches(from, range, { max: 50 })],
    ["searches without a result", (from) => readSearchesWithoutResult(from, range, { max: 50 })],
    ["views of the 50 top offers", (from) => from.telemetry.countByOffer(range, { max: 50 })],
    ["offers by conversion", (from) => readOfferConversions(from, range, { max: 50, minClicks: 1 })],
    [
      "offers by conversion, a range that is no month",
      (from) =>
        readOfferConversions(
          from,
          { ...range, from: addDays(FIRST, -10), to: addDays(last, -10) },
          { max: 50, minClicks: 1 },
        ),
    ],
    [
      "views of the 50 top offers, a week",
      (from) => from.telemetry.countByOffer({ ...range, from: addDays(last, -6) }, { max: 50 }),
    ],
    ["brands side by side", (from) => readBrands(from, range)],
  ];
  console.log("  report: from sums, from rows");
  for (const [name, read] of reports) {
    const [fromSums, sums] = await measured(() => read(sources.sums));
    const [fromRows, same] = await measured(() => read(sources.rows));
    if (JSON.stringify(sums) !== JSON.stringify(same))
      throw new Error(`${name}: the sums and the rows do not say the same`);
    console.log(
      `  ${name}: ${milliseconds(fromSums)}, ${milliseconds(fromRows)} (${Math.round(fromRows / fromSums)} ×)`,
    );
  }
}

async function measured<T>(work: () => Promise<T>): Promise<[number, T]> {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const [ms] = await measured(work);
  console.log(`  ${what}: ${milliseconds(ms)}`);
}

function milliseconds(ms: number): string {
  return ms < 10_000 ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: string | number | undefined): string {
  return `${whole(Math.round(Number(bytes ?? 0) / 1_000_000))} MB`;
}

/** Other programs make every figure longer: what the figures are worth. */
function loadOfMachine(): string {
  return `(${availableParallelism()} processors, load of the last minute ${loadavg()[0]!.toFixed(1)})`;
}

function whole(count: number): string {
  return count.toLocaleString("en-GB");
}
