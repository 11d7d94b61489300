import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate, readMigrations } from "./migrate.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url, pool } = await testDatabase();

test("P2 a migrated database has nothing left to apply", async () => {
  expect(await migrate(url)).toEqual({ applied: [], newer: [] });
});

test("P2 migrations are numbered in order, each number once", async () => {
  const numbers = (await readMigrations()).map((migration) => migration.number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers.every((number) => number > 0)).toBe(true);
});

test("P2 an edited migration is refused with what to do", async () => {
  const [first] = await readMigrations();
  await pool.query("update schema_migrations set checksum = 'edited' where name = $1", [first?.name]);
  await expect(migrate(url)).rejects.toThrow(/was edited after this database applied it\. Restore the file/);
  await pool.query("update schema_migrations set checksum = $2 where name = $1", [first?.name, first?.checksum]);
});

describe("R2 rolling upgrades", () => {
  // A newer version: all of today's migrations and some of its own.
  let folder: string;
  const next = () => pathToFileURL(`${folder}/`);
  const add = (name: string, sql: string) => writeFile(join(folder, name), sql);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "farthing-migrations-"));
    await cp(new URL("./migrations/", import.meta.url), folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("R2 an old process starts on a database that a newer version has migrated, and says so", async () => {
    await add("9001_more.sql", "create table nine_thousand (id uuid primary key);");
    await add("9002_much_more.sql", "-- What it is for.\nalter table nine_thousand add column note text;");
    expect(await migrate(url, next())).toEqual({ applied: ["9001_more.sql", "9002_much_more.sql"], newer: [] });
    expect(await migrate(url)).toEqual({ applied: [], newer: ["9001_more.sql", "9002_much_more.sql"] });
    expect(await migrate(url, next()), "the new one goes on").toEqual({ applied: [], newer: [] });
  });

  test("R2 a migration that takes away what older code uses stops code without its fore-runner, and no other", async () => {
    const middle = await mkdtemp(join(tmpdir(), "farthing-migrations-"));
    try {
      await cp(folder, middle, { recursive: true });
      await add(
        "9003_contract.sql",
        "-- Needs code of 9002_much_more.sql\nalter table nine_thousand drop column note;",
      );
      expect((await migrate(url, next())).applied).toEqual(["9003_contract.sql"]);
      expect((await migrate(url, pathToFileURL(`${middle}/`))).newer).toEqual(["9003_contract.sql"]);
      await expect(migrate(url)).rejects.toThrow(
        /9003_contract\.sql, which needs a version that knows 9002_much_more\.sql\. Run the newer version/,
      );
    } finally {
      await rm(middle, { recursive: true, force: true });
    }
  });

  test("P2 a migration that needs code which comes after it, or never, is refused before anything runs", async () => {
    for (const needed of ["9009_later.sql", "0000_never.sql"]) {
      await add("9004_wrong.sql", `-- Needs code of ${needed}\nselect 1;`);
      await add("9009_later.sql", "select 1;");
      await expect(migrate(url, next())).rejects.toThrow(/9004_wrong\.sql needs the code of .+, which is not/);
      await rm(join(folder, "9009_later.sql"));
    }
    await rm(join(folder, "9004_wrong.sql"));
  });
});
