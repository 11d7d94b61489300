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
/** Rows of one statement. */
const PART = 500_000;

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

  await timed("generating them", generate);
  await pool.query("vacuum analyze telemetry_events");
  const { rows: sizes } = await pool.query<{ table: string; indexes: string }>(
    "select sum(pg_table_size(inhrelid))::bigint as table, sum(pg_indexes_size(inhrelid))::bigint as indexes from pg_inherits where inhparent = 'telemetry_events'::regclass",
  );
  console.log(`  rows ${megabytes(sizes[0]?.table)}, indexes ${megabytes(sizes[0]?.indexes)}`);
  await timed("summing all of them, at once", () => sumEvents(db));
  await timed("summing 20,000 more, as the job does every 20 s", async () => {
    await insertPart(last, 20_000, perDay * days);
    return sumEvents(db);
  });
  await pool.query(
    "insert into telemetry_search_results select distinct brand_id, term, (random() < 0.9)::int * 7, now() from telemetry_search_days where searches > 20 on conflict do nothing",
  );
  await pool.query(
    `insert into report_offer_days (brand_id, day, offer_id, reveals, clicks, tracked, confirmed, sale_pence, cashback_pence)
     select brand_id, day, offer_id, redemptions, redemptions + views / 4, views / 20, views / 25, views / 20 * 5000, views / 20 * 200 from telemetry_offer_days`,
  );
  await pool.query(
    `insert into report_offer_months (brand_id, month, offer_id, clicks)
     select brand_id, date_trunc('month', day)::date, offer_id, sum(clicks) from report_offer_days group by 1, 2, 3`,
  );
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
  await pool.query(
    `create unlogged table volume_offers as select row_number() over ()::int - 1 as n, public_id from offers; create unique index on volume_offers (n)`,
  );
  await pool.query(
    "create unlogged table volume_brands as select row_number() over ()::int - 1 as n, id from brands; analyze volume_offers, volume_brands",
  );
}

/** Two days at a time, as there are two processors at least; each day is a partition of its own. */
async function generate(): Promise<void> {
  const left = Array.from({ length: days }, (_, day) => day);
  const lane = async () => {
    for (let day = left.shift(); day !== undefined; day = left.shift())
      for (let from = 0; from < perDay; from += PART)
        await insertPart(addDays(FIRST, day), Math.min(PART, perDay - from), day * perDay + from);
  };
  await Promise.all([lane(), lane()]);
}

/** Offers are popular by a power law; of ten events, five are views, one a redemption, two searches, and two other pages. */
async function insertPart(day: string, count: number, from: number): Promise<void> {
  await pool.query(
    `insert into telemetry_events (id, received_on, received_at, recorded_in, brand_id, event_type, user_id, session_id, affinity_id, subject, page_loaded_at, extra_fields)
     select (lpad(to_hex(i), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid, $1::date, $1::date + interval '12 hours' + i % 36000 * interval '1 s',
       pg_current_xact_id()::text::bigint, brand.id, kind.name, case when i % 3 = 0 then substr(md5((i % 400000)::text), 1, 22) end, substr(md5((i / 6)::text), 1, 22), 'affinity',
       case kind.name when 'SearchPage' then case when i % 4 < 2 then 'term ' || i % 200 else 'rare ' || i % 300000 end
         when 'RetailerPage' then 'Retailer ' || i % 900 when 'CategoryPage' then 'category-' || i % 40 else offer.public_id end,
       case when kind.name not in ('SearchPage', 'OfferRedeemed') then $1::date + interval '12 hours' end, null
     from generate_series($2::bigint, $2::bigint + $3::bigint - 1) i
     join volume_brands brand on brand.n = i % $4::int
     join volume_offers offer on offer.n = floor(power((i * 7919 % 100003) / 100003.0, 3) * $5::int)::int
     cross join lateral (select (array['OfferPage','OfferPage','OfferPage','OfferPage','OfferPage','OfferRedeemed','SearchPage','SearchPage','RetailerPage','CategoryPage'])[1 + (i * 31 % 10)::int] as name) kind`,
    [day, from, count, brands, offers],
  );
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
