import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import type pg from "pg";
import { chooseAddresses } from "./addresses.ts";
import { logIn } from "./app.ts";
import { makeClub } from "./make-club.ts";
import { measureAdmin } from "./measure-admin.ts";
import { measureBooks } from "./measure-books.ts";
import { measureMemory, measureStarts } from "./measure-process.ts";
import { measureSite } from "./measure-site.ts";
import { measureTelemetry } from "./measure-telemetry.ts";
import { openReference, type Reference } from "./reference.ts";
import type { GrowthServer } from "./server.ts";
import type { GrowthSize } from "./sizes.ts";
import type { Measured } from "./verdicts.ts";

export interface SizeOptions {
  size: GrowthSize;
  now: Date;
  /** Requests of each kind of page. */
  requests: number;
  /** How often each statement of the admin is executed. */
  repeats: number;
  isSmall: boolean;
  withTelemetry: boolean;
  tell(line: string): void;
}

interface Parts extends SizeOptions {
  url: string;
  db: Db;
  pool: pg.Pool;
  reference: Reference;
}

/** Addresses of a kind of page that are asked in turn. */
const MAX_ADDRESSES = 400;
/** Requests of each kind of page that are not counted. */
const WARM_UP = 5;
const ROWS_OF_REPORT = 1_000;
/** What takes seconds is repeated less often. */
const WORK = { starts: 5, books: 5, reports: 9 };

/** Makes a club in a database of its own, measures everything, and drops it. */
export async function* measureSize(server: GrowthServer, options: SizeOptions): AsyncGenerator<Measured> {
  const name = `growth_${options.size.times}`.replaceAll(/[^a-z0-9_]/g, "_");
  const url = await server.createDatabase(name);
  const from = performance.now();
  await makeClub(url, options);
  options.tell(`made in ${Math.round((performance.now() - from) / 1000)} s`);
  const { db, pool, close } = openDatabase({ url, max: 4 });
  const reference = await openReference(url);
  try {
    for await (const measured of measureAll({ ...options, url, db, pool, reference })) {
      yield measured;
      options.tell(`${measured.name}: ${described(measured)}`);
    }
  } finally {
    await reference.close();
    await close();
    await server.dropDatabase(name);
  }
}

async function* measureAll(parts: Parts): AsyncGenerator<Measured> {
  const { url, pool, reference, now, repeats, isSmall, size } = parts;
  yield {
    group: "sizes",
    name: "disk, the database without telemetry",
    unit: "MB",
    allowed: "proportion",
    samples: { values: [await megabytesOf(pool)], references: [] },
  };
  yield* measureProcess(parts);
  const books = { rows: isSmall ? 20 : ROWS_OF_REPORT, repeats: isSmall ? 1 : WORK.books };
  yield* measureBooks({ ...parts, ...books });
  // Opening every screen takes most of a smoke run's time: once will do.
  if (!isSmall || size.times === 1) yield* await measureAdmin({ url, reference, now, repeats, isSmall });
  if (parts.withTelemetry) yield* measureTelemetry({ ...parts, repeats: isSmall ? 1 : WORK.reports });
}

/** Everything that the process answers, and what it takes itself. */
async function* measureProcess({ url, pool, reference, requests, isSmall }: Parts): AsyncGenerator<Measured> {
  const scratch = mkdtempSync(join(tmpdir(), "farthing-bench-growth-"));
  try {
    const starts = isSmall ? 1 : WORK.starts;
    const { server, measured } = await measureStarts({ databaseUrl: url, scratch }, { starts, reference });
    try {
      yield measured;
      const addresses = await chooseAddresses(pool, { max: MAX_ADDRESSES });
      const cookie = await logIn(server);
      yield* measureSite({ server, pool, reference, addresses, cookie, requests, warmUp: isSmall ? 1 : WARM_UP });
      yield measureMemory(server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function megabytesOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string | number }>("select pg_database_size(current_database()) as bytes");
  return Number(rows[0]?.bytes ?? 0) / 1e6;
}

function described({ samples: { values }, unit }: Measured): string {
  const sorted = values.toSorted((one, other) => one - other);
  return `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)} ${unit}`;
}
