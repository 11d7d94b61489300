import { describe, expect, test } from "vitest";
import { migrate, ReplacedMigrationsError } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { otherVersions } from "./testing/another-version.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url, pool } = await testDatabase();
const anotherVersion = otherVersions();
const readOwn = () => readMigrations(new URL("./migrations/", import.meta.url));

test("P2 a migrated database has nothing left to apply", async () => {
  expect(await migrate(url)).toEqual({ applied: [], functions: [], newer: [] });
});

test("P2 migrations are numbered from 1 without gaps", async () => {
  const numbers = (await readOwn()).map((migration) => migration.number);
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test("P2 an edited migration is refused with what to do", async () => {
  const [first] = await readOwn();
  await pool.query("update schema_migrations set checksum = 'edited' where name = $1", [first?.name]);
  await expect(migrate(url)).rejects.toThrow(/was edited after this database applied it\. Restore the file/);
  await pool.query("update schema_migrations set checksum = $2 where name = $1", [first?.name, first?.checksum]);
});

test("P2 a database from before the first release is refused and not changed", async () => {
  // Such a database records migrations with other checksums, and no functions.
  await pool.query("alter table schema_functions rename to set_aside");
  try {
    await pool.query("update schema_migrations set checksum = 'earlier' where name like '0001%'");
    await expect(migrate(url)).rejects.toThrow(ReplacedMigrationsError);
    expect((await pool.query("select to_regclass('schema_functions') as made")).rows).toEqual([{ made: null }]);
  } finally {
    const [first] = await readOwn();
    await pool.query("update schema_migrations set checksum = $2 where name = $1", [first?.name, first?.checksum]);
    await pool.query("alter table set_aside rename to schema_functions");
  }
});

describe("R2 rolling upgrades", () => {
  test("R2 a process of an older version starts on a newer database unless a migration needs newer code", async () => {
    const next = await anotherVersion();
    await next.write("migrations/9001_more.sql", "create table nine_thousand (id uuid primary key);");
    await next.write(
      "migrations/9002_much_more.sql",
      "-- What it is for.\nalter table nine_thousand add column note text;",
    );
    const newer = ["9001_more.sql", "9002_much_more.sql"];
    expect(await migrate(url, next.source)).toEqual({ applied: newer, functions: [], newer: [] });
    expect(await migrate(url)).toEqual({ applied: [], functions: [], newer });
    expect(await migrate(url, next.source), "the newer version still starts").toEqual({
      applied: [],
      functions: [],
      newer: [],
    });

    // The next version drops a column that only the first version still uses.
    const last = await anotherVersion(next.source);
    await last.write(
      "migrations/9003_contract.sql",
      "-- Needs code of 9002_much_more.sql\nalter table nine_thousand drop column note;",
    );
    expect((await migrate(url, last.source)).applied).toEqual(["9003_contract.sql"]);
    expect((await migrate(url, next.source)).newer).toEqual(["9003_contract.sql"]);
    await expect(migrate(url)).rejects.toThrow(
      /9003_contract\.sql, which needs a version that knows 9002_much_more\.sql\. Run the newer version/,
    );
  });

  test("P2 a migration that needs the code of a later or an unknown migration is refused before anything runs", async () => {
    const next = await anotherVersion();
    await next.write("migrations/9009_later.sql", "select 1;");
    for (const needed of ["9009_later.sql", "0000_never.sql"]) {
      await next.write("migrations/9004_wrong.sql", `-- Needs code of ${needed}\nselect 1;`);
      await expect(migrate(url, next.source)).rejects.toThrow(/9004_wrong\.sql needs the code of .+, which is not/);
    }
  });

  test("P2 a migration that fails is named, and nothing of it is kept", async () => {
    const next = await anotherVersion();
    for (const name of ["9001_more", "9002_much_more"]) await next.write(`migrations/${name}.sql`, "select 1;");
    await pool.query("delete from schema_migrations where name like '9%'");
    await next.write("migrations/9005_wrong.sql", "create table half (id uuid primary key);\nselect 1 / 0;");
    await expect(migrate(url, next.source)).rejects.toThrow("Migration 9005_wrong.sql failed: division by zero");
    expect((await pool.query("select to_regclass('half') as made")).rows).toEqual([{ made: null }]);
  });
});
