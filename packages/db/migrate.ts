import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

const folder = new URL("./migrations/", import.meta.url);
const LOCK = 4_602_019; // any constant: processes that start together migrate one after another

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  /**
   * The migration that code must know to run on a database with this one; null where any older code does. Stated in the first line:
   * `-- Needs code of 0065_name.sql`.
   */
  needsCodeOf: string | null;
}

export interface Migrated {
  /** Names of the migrations that were applied now, in their order. */
  applied: string[];
  /** Names of migrations that a newer version applied before, and that this code runs beside unharmed. */
  newer: string[];
}

/**
 * The migrations in the order they apply: `NNNN_name.sql`, each applied once, in a transaction of its own.
 * @throws Error where one needs the code of a migration that does not exist or comes after it.
 */
export async function readMigrations(source: URL = folder): Promise<Migration[]> {
  const names = (await readdir(source)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, source), "utf8");
      const needsCodeOf = /^-- Needs code of (\S+\.sql)\b/.exec(sql)?.[1] ?? null;
      if (needsCodeOf !== null && (!names.includes(needsCodeOf) || needsCodeOf > name))
        throw new Error(`Migration ${name} needs the code of ${needsCodeOf}, which is not a migration up to it.`);
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number: Number(name.slice(0, 4)), name, sql, checksum, needsCodeOf };
    }),
  );
}

/**
 * Brings the database at `url` up to date. A database that a newer version has migrated is accepted, unless one of its migrations needs
 * newer code: during a rolling upgrade a process of the old version may start again.
 * @throws Error when an applied migration was edited since, or needs newer code than this.
 */
export async function migrate(url: string, source: URL = folder): Promise<Migrated> {
  const migrations = await readMigrations(source);
  const client = new pg.Client({ connectionString: url, application_name: "farthing-migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    // By way of JSON, because a database from before 0060 has no such column.
    const { rows } = await client.query<AppliedMigration>(
      `select name, checksum, to_jsonb(schema_migrations) ->> 'needs_code_of' as "needsCodeOf" from schema_migrations order by name`,
    );
    refuseEdited(migrations, rows);
    const newer = refuseIncompatible(migrations, rows);
    const known = new Set(rows.map(({ name }) => name));
    const applied: string[] = [];
    for (const migration of migrations) {
      if (known.has(migration.name)) continue;
      await applyOne(client, migration);
      applied.push(migration.name);
    }
    return { applied, newer };
  } finally {
    await client.end(); // the advisory lock ends with its connection
  }
}

type AppliedMigration = Pick<Migration, "name" | "checksum" | "needsCodeOf">;

function refuseEdited(migrations: Migration[], applied: AppliedMigration[]): void {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  for (const migration of migrations) {
    const checksum = checksums.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Error(
        `Migration ${migration.name} was edited after this database applied it. Restore the file and put the change into a new migration.`,
      );
    }
  }
}

/** Names of the applied migrations that this code does not know but can run with. */
function refuseIncompatible(migrations: Migration[], applied: AppliedMigration[]): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = applied.filter(({ name }) => !known.has(name));
  const breaking = newer.find(({ needsCodeOf }) => needsCodeOf !== null && !known.has(needsCodeOf));
  if (breaking)
    throw new Error(
      `The database has the migration ${breaking.name}, which needs a version that knows ${breaking.needsCodeOf}. Run the newer version.`,
    );
  return newer.map(({ name }) => name);
}

async function applyOne(client: pg.Client, { name, sql, checksum, needsCodeOf }: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(sql);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
    if (needsCodeOf !== null)
      await client.query("update schema_migrations set needs_code_of = $2 where name = $1", [name, needsCodeOf]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
