import pg from "pg";
import { setTimeout as delay } from "node:timers/promises";
import { type Backfill, fillBatch, findUnfinished, readBackfills, type UnfinishedBackfill } from "./backfills.ts";
import type { Waiting } from "./giving-way.ts";
import { applyFunctions, isDue, isNewer, readFunctions, readInstalledFunctions, withIncludes } from "./functions.ts";
import {
  applyMigration,
  type Migration,
  readAppliedMigrations,
  readMigrations,
  refuseEdited,
  refuseIncompatible,
} from "./migrations.ts";

const LOCK = 4_602_019; // any constant: processes that start together migrate one after another

export interface Migrated {
  /** Names of the migrations that were applied by this call, in their order. */
  applied: string[];
  /** Names of the function files that were applied by this call, in their order. */
  functions: string[];
  /** Names of migrations and function files that a newer version has applied, and that this version can run with. */
  newer: string[];
}

/** The database was made by migrations from before the first release, which no longer exist. */
export class ReplacedMigrationsError extends Error {
  constructor() {
    super(
      "This database was made before the first release, by migrations that no longer exist, and cannot be upgraded.",
    );
    this.name = "ReplacedMigrationsError";
  }
}

/**
 * Brings the database at `url` up to date: applies the migrations that it lacks, then every function whose file has
 * changed. Accepts a database that a newer version has migrated, unless one of its migrations needs newer code: a process of
 * the old version may restart during a rolling upgrade. Functions of the newer version stay in place. `source` holds the
 * folders `migrations` and `functions`. A migration that can't get a lock gives way to traffic and is tried again; `waiting`
 * says how long, and who hears of it.
 * @throws ReplacedMigrationsError
 * @throws Error where an applied migration was edited or needs newer code, or where a migration or function fails or
 * gets no lock.
 */
export async function migrate(
  url: string,
  source: URL = new URL("./", import.meta.url),
  waiting?: Partial<Waiting>,
): Promise<Migrated> {
  const migrations = await readMigrations(new URL("migrations/", source));
  const functions = await readFunctions(new URL("functions/", source));
  const client = new pg.Client({ connectionString: url, application_name: "farthing-migrate" });
  // A connection that is lost between two statements is told of by the next one.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await createRecords(client);
    const known = await readAppliedMigrations(client);
    refuseEdited(migrations, known);
    const newer = refuseIncompatible(migrations, known);
    const { existing } = await readInstalledFunctions(client);
    const pending = migrations
      .filter(({ name }) => !known.some((applied) => applied.name === name))
      .map((migration) => ({ ...migration, sql: withIncludes(migration, functions, existing) }));
    const backfills = await readBackfills(source);
    for (const migration of pending) {
      await finishBackfill(client, migration, backfills, waiting);
      await applyMigration(client, migration, waiting);
    }
    // Read again: a migration may have created or dropped functions.
    const installed = await readInstalledFunctions(client);
    const due = functions.filter((sqlFunction) => isDue(sqlFunction, installed));
    await applyFunctions(client, due, waiting);
    return {
      applied: pending.map(({ name }) => name),
      functions: due.map(({ name }) => name),
      newer: [...newer, ...functions.filter((sqlFunction) => isNewer(sqlFunction, installed)).map(({ name }) => name)],
    };
  } finally {
    await client.end(); // releases the advisory lock
  }
}

/** Between attempts at a batch that another process fills in. */
const BUSY_MS = 200;
/** Between two lines about one backfill. */
const TELL_MS = 10_000;

/**
 * Finishes the backfill that a migration needs.
 * @throws Error where it does not exist, fails, or gets no lock for as long as a migration would wait
 */
async function finishBackfill(
  client: pg.Client,
  { name, needsBackfill }: Pick<Migration, "name" | "needsBackfill">,
  backfills: readonly Backfill[],
  { tell = () => {}, maxMs = 300_000 }: Partial<Waiting> = {},
): Promise<void> {
  if (needsBackfill === null) return;
  const backfill = backfills.find((one) => one.name === needsBackfill);
  if (!backfill) throw new Error(`Migration ${name} needs the backfill ${needsBackfill}, which does not exist.`);
  let [toldAt, busySince] = [performance.now(), performance.now()];
  for (;;) {
    const { outcome, rowsSeen } = await fillBatch(client, backfill);
    if (outcome === "finished") return tell(`Backfill ${needsBackfill}: ${rowsSeen} rows, finished`);
    const now = performance.now();
    if (outcome === "more") busySince = now;
    else if (now - busySince > maxMs)
      throw new Error(`The backfill ${needsBackfill}, which migration ${name} needs, got no lock. Start again.`);
    else await delay(BUSY_MS);
    if (outcome === "more" && now - toldAt > TELL_MS) {
      toldAt = now;
      tell(`Backfill ${needsBackfill}: ${rowsSeen} rows so far`);
    }
  }
}

/** How a database differs from this version, in names of migrations and function files. */
export interface MigrationState {
  /** Those that the next start applies. */
  pending: string[];
  /** Those of a newer version, that this version can run with. */
  newer: string[];
  /** Backfills of this version that are not finished. */
  filling: UnfinishedBackfill[];
}

/**
 * Compares the database at `url` with this version and changes nothing. An empty database lacks every migration.
 * @throws ReplacedMigrationsError
 * @throws Error where an applied migration was edited or needs newer code.
 */
export async function compareMigrations(
  url: string,
  source: URL = new URL("./", import.meta.url),
): Promise<MigrationState> {
  const migrations = await readMigrations(new URL("migrations/", source));
  const functions = await readFunctions(new URL("functions/", source));
  const client = new pg.Client({ connectionString: url, application_name: "farthing-doctor" });
  await client.connect();
  try {
    await refuseReplaced(client);
    const { rows } = await client.query<{ isEmpty: boolean }>(
      `select to_regclass('schema_migrations') is null as "isEmpty"`,
    );
    if (rows[0]?.isEmpty) return { pending: migrations.map(({ name }) => name), newer: [], filling: [] };
    const known = await readAppliedMigrations(client);
    refuseEdited(migrations, known);
    const newer = refuseIncompatible(migrations, known);
    const installed = await readInstalledFunctions(client);
    return {
      pending: [
        ...migrations.filter(({ name }) => !known.some((applied) => applied.name === name)),
        ...functions.filter((sqlFunction) => isDue(sqlFunction, installed)),
      ].map(({ name }) => name),
      newer: [...newer, ...functions.filter((sqlFunction) => isNewer(sqlFunction, installed)).map(({ name }) => name)],
      filling: await findUnfinished(client, await readBackfills(source)),
    };
  } finally {
    await client.end();
  }
}

/**
 * Creates the tables that record what was applied, unless they exist.
 * @throws ReplacedMigrationsError where migrations are recorded but functions are not.
 */
async function createRecords(client: pg.Client): Promise<void> {
  await refuseReplaced(client);
  // One query is one transaction: a database has both tables or neither.
  await client.query(`
    create table if not exists schema_migrations (
      name          text primary key,
      checksum      text not null,
      applied_at    timestamptz not null default now(),
      needs_code_of text                       -- the migration that code must know; null: any older code works
    );
    create table if not exists schema_functions (
      name       text primary key,
      revision   integer not null check (revision > 0),
      checksum   text not null,
      applied_at timestamptz not null default now()
    )`);
}

/** @throws ReplacedMigrationsError where migrations are recorded but functions are not. */
async function refuseReplaced(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isReplaced: boolean }>(
    `select to_regclass('schema_migrations') is not null and to_regclass('schema_functions') is null as "isReplaced"`,
  );
  if (rows[0]?.isReplaced) throw new ReplacedMigrationsError();
}
