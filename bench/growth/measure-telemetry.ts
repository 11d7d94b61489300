import {
  readBrands,
  readFunnel,
  readOfferConversions,
  readSearchesWithoutResult,
  readTopSearches,
} from "@farthing/core/reports/queries.server.ts";
import { openDays } from "@farthing/core/telemetry/days.server.ts";
import { addDays, utcDay } from "@farthing/core/telemetry/rules.ts";
import { sumsReader } from "@farthing/core/telemetry/sums-reader.server.ts";
import { sumEvents } from "@farthing/core/telemetry/sums.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type pg from "pg";
import { addOwnSums, generateEvents, insertEvents, numberSubjects } from "../telemetry/generate-events.ts";
import type { Reference } from "./reference.ts";
import { sample } from "./samples.ts";
import type { GrowthSize } from "./sizes.ts";
import type { Measured } from "./verdicts.ts";

export interface TelemetryProbe {
  db: Db;
  pool: pg.Pool;
  reference: Reference;
  size: GrowthSize;
  now: Date;
  repeats: number;
}

const DAYS = 30;
const BRANDS = 8;
/** Events between two sums: what a busy collector takes in while the job rests. */
const NEW_EVENTS = 20_000;

/** Generates the events of a month in the club's database, sums them, and measures each report for all brands and days. */
export async function* measureTelemetry(probe: TelemetryProbe): AsyncGenerator<Measured> {
  const { db, pool, reference, size, now, repeats } = probe;
  const last = addDays(utcDay(now), -1);
  const first = addDays(last, 1 - DAYS);
  const plan = { first, days: DAYS, perDay: Math.ceil(size.events / DAYS), brands: BRANDS, offers: size.offers };
  await numberSubjects(pool);
  await openDays(db, { from: first, days: DAYS });
  await generateEvents(pool, plan);
  await sumEvents(db);
  await addOwnSums(pool);
  await pool.query("vacuum analyze");
  yield {
    group: "sizes",
    name: "disk, telemetry's events",
    unit: "MB",
    allowed: "proportion",
    samples: { values: [await megabytesOfEvents(pool)], references: [] },
  };
  yield {
    group: "work",
    name: `summing ${NEW_EVENTS.toLocaleString("en-GB")} new events`,
    unit: "ms",
    allowed: "logarithm",
    samples: await measureSums(probe, plan, last),
  };
  const range = { brandId: null, from: first, to: last };
  const sources = { db, telemetry: sumsReader(db) };
  const reports: Record<string, () => Promise<unknown>> = {
    "the funnel": () => readFunnel(sources, range),
    "the funnel, one day": () => readFunnel(sources, { ...range, from: last }),
    "top 50 searches": () => readTopSearches(sources, range, { max: 50 }),
    "searches without a result": () => readSearchesWithoutResult(sources, range, { max: 50 }),
    "offers by conversion": () => readOfferConversions(sources, range, { max: 50, minClicks: 1 }),
    "brands side by side": () => readBrands(sources, range),
  };
  for (const [name, read] of Object.entries(reports))
    yield {
      group: "reports",
      name,
      unit: "ms",
      allowed: "logarithm",
      samples: await sample(reference, { count: repeats, warmUp: 1 }, read),
    };
}

async function measureSums(
  { db, pool, reference, repeats }: TelemetryProbe,
  plan: Parameters<typeof generateEvents>[1],
  day: string,
) {
  let from = plan.perDay * plan.days;
  return sample(
    reference,
    {
      count: repeats,
      async before() {
        await insertEvents(pool, plan, { day, count: NEW_EVENTS, from });
        from += NEW_EVENTS;
      },
    },
    () => sumEvents(db),
  );
}

async function megabytesOfEvents(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string | number }>(
    "select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits where inhparent = 'telemetry_events'::regclass",
  );
  return Number(rows[0]?.bytes ?? 0) / 1e6;
}
