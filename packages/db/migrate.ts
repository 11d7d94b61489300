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
}

/** The migrations in the order they apply: `NNNN_name.sql`, each applied once, in a transaction of its own. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), "utf8");
      return { number: Number(name.slice(0, 4)), name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Brings the database at `url` up to date and says which migrations it applied.
 * @throws Error when an applied migration was edited since, or the database is ahead of this code.
 */
export async function migrate(url: string, onApplied: (name: string) => void = () => {}): Promise<string[]> {
  const migrations = await readMigrations();
  const client = new pg.Client({ connectionString: url, application_name: "farthing-migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      "select name, checksum from schema_migrations",
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseForeignHistory(migrations, applied);
    const done: string[] = [];
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      await applyOne(client, migration);
      onApplied(migration.name);
      done.push(migration.name);
    }
    return done;
  } finally {
    await client.end(); // the advisory lock ends with its connection
  }
}

function refuseForeignHistory(migrations: Migration[], applied: Map<string, string>): void {
  for (const migration of migrations) {
    const checksum = applied.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Error(
        `Migration ${migration.name} was edited after this database applied it. Restore the file and put the change into a new migration.`,
      );
    }
  }
  const known = new Set(migrations.map((migration) => migration.name));
  const ahead = [...applied.keys()].filter((name) => !known.has(name));
  if (ahead.length > 0) {
    throw new Error(
      `The database has migrations that this version does not know (${ahead.join(", ")}). Run the newer version.`,
    );
  }
}

async function applyOne(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(sql);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
