import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type pg from "pg";
import { givingWay, type Waiting } from "./giving-way.ts";

export interface Migration {
  number: number;
  name: string;
  sql: string;
  /** SHA-256 of the file. */
  checksum: string;
  /**
   * The migration that code must know to run on a database with this one; null where any older code works. Stated in
   * the first line: `-- Needs code of 0065_name.sql`.
   */
  needsCodeOf: string | null;
  /** The backfill that must be finished before; null: none. Stated in one of the first lines: `-- Needs backfill 0072_name.sql`. */
  needsBackfill: string | null;
}

/** A migration as the database records it. */
type AppliedMigration = Pick<Migration, "name" | "checksum" | "needsCodeOf">;

/**
 * Returns the migrations in the order in which they apply: files `NNNN_name.sql`.
 * @throws Error where one needs the code of a migration that does not exist or comes after it.
 */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), "utf8");
      const needsCodeOf = /^-- Needs code of (\S+\.sql)\b/.exec(sql)?.[1] ?? null;
      if (needsCodeOf !== null && (!names.includes(needsCodeOf) || needsCodeOf > name))
        throw new Error(`Migration ${name} needs the code of ${needsCodeOf}, which is not a migration up to it.`);
      const needsBackfill = /^-- Needs backfill (\S+\.sql)\b/m.exec(sql)?.[1] ?? null;
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number: Number(name.slice(0, 4)), name, sql, checksum, needsCodeOf, needsBackfill };
    }),
  );
}

/** Returns the migrations that the database has recorded, by name. */
export async function readAppliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select name, checksum, needs_code_of as "needsCodeOf" from schema_migrations order by name`,
  );
  return rows;
}

/** @throws Error where a migration was edited after the database applied it. */
export function refuseEdited(migrations: Migration[], applied: AppliedMigration[]): void {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (checksums.has(name) && checksums.get(name) !== checksum)
      throw new Error(
        `Migration ${name} was edited after this database applied it. Restore the file and put the change into a new migration.`,
      );
  }
}

/**
 * Returns the names of applied migrations that this code does not know but can run with.
 * @throws Error where one of them needs newer code.
 */
export function refuseIncompatible(migrations: Migration[], applied: AppliedMigration[]): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = applied.filter(({ name }) => !known.has(name));
  const breaking = newer.find(({ needsCodeOf }) => needsCodeOf !== null && !known.has(needsCodeOf));
  if (breaking)
    throw new Error(
      `The database has the migration ${breaking.name}, which needs a version that knows ${breaking.needsCodeOf}. Run the newer version.`,
    );
  return newer.map(({ name }) => name);
}

/**
 * Applies a migration and records it, in one transaction that gives way to traffic.
 * @throws Error with the migration's name.
 */
export async function applyMigration(
  client: pg.Client,
  { name, sql, checksum, needsCodeOf }: Migration,
  waiting?: Partial<Waiting>,
): Promise<void> {
  async function work(): Promise<void> {
    try {
      await client.query(sql);
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
    await client.query("insert into schema_migrations (name, checksum, needs_code_of) values ($1, $2, $3)", [
      name,
      checksum,
      needsCodeOf,
    ]);
  }
  await givingWay(client, { what: `Migration ${name}`, work, waiting });
}
