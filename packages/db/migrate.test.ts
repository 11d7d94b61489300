import { expect, test } from "vitest";
import { migrate, readMigrations } from "./migrate.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url, pool } = await testDatabase();

test("P2 a migrated database has nothing left to apply", async () => {
  expect(await migrate(url)).toEqual([]);
});

test("P2 migrations are numbered in order, each number once", async () => {
  const numbers = (await readMigrations()).map((migration) => migration.number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers.every((number) => number > 0)).toBe(true);
});

test("P2 an edited migration and a database from the future are refused with what to do", async () => {
  const [first] = await readMigrations();
  await pool.query("update schema_migrations set checksum = 'edited' where name = $1", [first?.name]);
  await expect(migrate(url)).rejects.toThrow(/was edited after this database applied it\. Restore the file/);
  await pool.query("update schema_migrations set checksum = $2 where name = $1", [first?.name, first?.checksum]);
  await pool.query("insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')");
  await expect(migrate(url)).rejects.toThrow(/9999_future\.sql.*Run the newer version/);
});
