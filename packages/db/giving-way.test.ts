import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import pg from "pg";
import { migrate } from "./migrate.ts";
import { otherVersions } from "./testing/another-version.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url, pool } = await testDatabase();
const anotherVersion = otherVersions();
/** A transaction of traffic, as a long report or a forgotten psql holds it. */
const holder = new pg.Client({ connectionString: url, application_name: "a long report" });

beforeAll(async () => {
  await holder.connect();
  await pool.query("create table busy (id integer primary key)");
});
afterEach(async () => {
  await holder.query("rollback");
});
afterAll(() => holder.end());

/** Returns a version with one migration more, which needs a lock on the busy table. */
async function nextVersion(column: string) {
  const next = await anotherVersion();
  await next.write(`migrations/9001_${column}.sql`, `alter table busy add column ${column} integer;`);
  await pool.query("delete from schema_migrations where name like '9001%'");
  return next.source;
}
const columns = async () =>
  (
    await pool.query("select attname as name from pg_attribute where attrelid = 'busy'::regclass and attnum > 1")
  ).rows.map(({ name }) => name as string);

const waitsForLock = async () =>
  (await pool.query("select 1 from pg_locks where relation = 'busy'::regclass and not granted")).rowCount === 1;

test("R2 a migration that gets no lock gives way, says who holds one, and is applied when it is free", async () => {
  const source = await nextVersion("later");
  await holder.query("begin");
  await holder.query("insert into busy values (1)");
  const told: string[] = [];
  const applied = await migrate(url, source, {
    lockMs: 20,
    pauseMs: 1,
    tell(line) {
      told.push(line);
      if (told.length === 3) void holder.query("commit");
    },
  });
  expect(applied.applied).toEqual(["9001_later.sql"]);
  expect(await columns()).toEqual(["later"]);
  expect(told.length).toBeGreaterThanOrEqual(3);
  expect(told[0]).toMatch(
    /^Migration 9001_later\.sql got no lock in 20 ms \(attempt 1\) and is tried again in 1 ms\. .+\(a long report\) for \d+ s/,
  );
});

test("R2 traffic that queued behind a waiting migration goes on before the lock is free", async () => {
  const source = await nextVersion("meanwhile");
  await holder.query("begin");
  await holder.query("select count(*) from busy");
  const migrating = migrate(url, source, { lockMs: 500, pauseMs: 100 });
  await expect.poll(waitsForLock).toBe(true);
  // A read needs no lock that the report holds: only the waiting migration stands before it.
  await pool.query("select count(*) from busy");
  await holder.query("rollback");
  await migrating;
  expect(await columns()).toContain("meanwhile");
});

test("R2 a migration gives up with a clear message, and nothing of it is kept", async () => {
  const source = await nextVersion("never");
  await holder.query("begin");
  await holder.query("insert into busy values (2)");
  await expect(migrate(url, source, { lockMs: 10, pauseMs: 1, maxPauseMs: 2, maxMs: 60 })).rejects.toThrow(
    /^Migration 9001_never\.sql got no lock in \d+ s and was given up; nothing of it is kept\. .+\(a long report\).+ then start again\.$/,
  );
  expect(await columns()).not.toContain("never");
  const { rows } = await pool.query("select name from schema_migrations where name = '9001_never.sql'");
  expect(rows).toEqual([]);
});

test("R2 any other fault of a migration ends the start at once", async () => {
  const next = await anotherVersion();
  await next.write("migrations/9001_wrong.sql", "select 1 / 0;");
  await pool.query("delete from schema_migrations where name like '9001%'");
  const told: string[] = [];
  await expect(migrate(url, next.source, { tell: (line) => told.push(line) })).rejects.toThrow(/division by zero/);
  expect(told).toEqual([]);
});
