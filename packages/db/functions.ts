import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";
import { givingWay, type Waiting } from "./giving-way.ts";

/** A file of packages/db/functions: one SQL function, as `create or replace` (decision 027). */
export interface SqlFunction {
  /** The file's name: the function's name and `.sql`. */
  name: string;
  sql: string;
  checksum: string;
  /** The number of this content in revisions.json; the next number while the content is not sealed. */
  revision: number;
  /** Names of the files that this one uses. */
  includes: string[];
}

/** A revision of a file, as revisions.json (`npm run db:seal`) or the database records it. */
interface RecordedRevision {
  revision: number;
  /** SHA-256 of the content. */
  checksum: string;
}

/** What the database has. */
export interface InstalledFunctions {
  /** The revision of each file that was applied last. */
  recorded: Map<string, RecordedRevision>;
  /** Files whose function exists. */
  existing: Set<string>;
}

const INCLUDE = /^--!include (\S+)$/gm;

/**
 * Returns the functions in the order in which they apply: each after those that it includes, otherwise by name.
 * @throws Error where a file includes one that does not exist, or includes itself through others.
 */
export async function readFunctions(folder: URL): Promise<SqlFunction[]> {
  const revisions = await readFile(new URL("revisions.json", folder), "utf8");
  const sealed = JSON.parse(revisions) as Record<string, RecordedRevision>;
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const functions = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      const last = sealed[name] ?? { revision: 0, checksum: "" };
      const revision = last.checksum === checksum ? last.revision : last.revision + 1;
      return { name, sql, checksum, revision, includes: [...sql.matchAll(INCLUDE)].map(([, included]) => included!) };
    }),
  );
  return inOrder(names, functions);
}

/** Returns the named functions, each after those that it includes. `path` is the chain of includes that led here. */
function inOrder(names: string[], functions: SqlFunction[], path: string[] = []): SqlFunction[] {
  const ordered = new Set<SqlFunction>();
  for (const name of names) {
    const found = functions.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`${path.at(-1)} includes ${name}, which is not in packages/db/functions.`);
    if (path.includes(name))
      throw new Error(`SQL functions include each other: ${[...path, name].join(" > ")}. Remove one of the includes.`);
    for (const included of inOrder(found.includes, functions, [...path, name])) ordered.add(included);
    ordered.add(found);
  }
  return [...ordered];
}

/**
 * Returns a migration's SQL with each `--!include` line replaced by the function that it names and those that this one
 * includes. A function in `existing` is left out: the migration only needs it to exist, and processes of the previous
 * version go on using it until `applyFunctions` replaces it. Bodies are not checked here, because they may use tables
 * of later migrations; `applyFunctions` checks them.
 * @throws Error where a line names a file that does not exist.
 */
export function withIncludes(
  migration: { name: string; sql: string },
  functions: SqlFunction[],
  existing: Set<string>,
): string {
  return migration.sql.replaceAll(INCLUDE, (_line, name: string) => {
    const missing = inOrder([name], functions, [migration.name]).filter((included) => !existing.has(included.name));
    if (missing.length === 0) return "";
    return [
      "set local check_function_bodies = off;",
      ...missing.map(({ sql }) => sql),
      "set local check_function_bodies = on;",
    ].join("\n");
  });
}

/** Reads which functions exist, and which revisions were applied last. */
export async function readInstalledFunctions(client: pg.Client): Promise<InstalledFunctions> {
  const { rows: recorded } = await client.query<{ name: string } & RecordedRevision>(
    "select name, revision, checksum from schema_functions",
  );
  const { rows: existing } = await client.query<{ name: string }>(
    "select proname || '.sql' as name from pg_proc where pronamespace = current_schema()::regnamespace",
  );
  return {
    recorded: new Map(recorded.map(({ name, ...revision }) => [name, revision])),
    existing: new Set(existing.map(({ name }) => name)),
  };
}

/**
 * Whether a file has to be applied: the function does not exist, or the file's revision is higher than the recorded
 * one, or it is the same revision with other content, which is a change in development. A lower revision belongs to an
 * older version of the product and never replaces a newer one.
 */
export function isDue({ name, revision, checksum }: SqlFunction, { recorded, existing }: InstalledFunctions): boolean {
  const last = recorded.get(name);
  if (last === undefined || !existing.has(name)) return true;
  return revision > last.revision || (revision === last.revision && checksum !== last.checksum);
}

/** Whether the database has the function from a newer version of the product. */
export function isNewer({ name, revision }: SqlFunction, { recorded }: InstalledFunctions): boolean {
  return (recorded.get(name)?.revision ?? 0) > revision;
}

/**
 * Applies `functions` in their order and records their revisions, all in one transaction that gives way to traffic.
 * @throws Error with the file's name, where PostgreSQL refuses a function or where its signature changes.
 */
export async function applyFunctions(
  client: pg.Client,
  functions: SqlFunction[],
  waiting?: Partial<Waiting>,
): Promise<void> {
  if (functions.length === 0) return;
  async function work(): Promise<void> {
    for (const sqlFunction of functions) await applyFunction(client, sqlFunction);
  }
  await givingWay(client, { what: "The change of SQL functions", work, waiting });
}

const CHANGED_SIGNATURE =
  "A function keeps its signature: give the new one a name of its own (docs/operations/upgrading.md).";
const INVALID_FUNCTION_DEFINITION = "42P13"; // among others: another return type, other names of parameters

async function applyFunction(client: pg.Client, { name, sql, revision, checksum }: SqlFunction): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    const advice = code === INVALID_FUNCTION_DEFINITION ? `. ${CHANGED_SIGNATURE}` : "";
    throw new Error(`SQL function ${name} failed: ${message}${advice}`, { cause: error });
  }
  // Other parameters make a second function beside the first.
  const { rowCount } = await client.query(
    "select from pg_proc where pronamespace = current_schema()::regnamespace and proname || '.sql' = $1",
    [name],
  );
  if (rowCount !== 1)
    throw new Error(
      `SQL function ${name} failed: ${rowCount} functions have the file's name instead of one. ${CHANGED_SIGNATURE}`,
    );
  await client.query(
    `insert into schema_functions (name, revision, checksum) values ($1, $2, $3)
     on conflict (name) do update set revision = excluded.revision, checksum = excluded.checksum, applied_at = now()`,
    [name, revision, checksum],
  );
}
