import pg from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { example } from "../../docs/examples/fenced-blocks.ts";
import { type Backfill, fillBatch, readBackfills } from "./backfills.ts";
import { migrate } from "./migrate.ts";
import { otherVersions, thisVersion } from "./testing/another-version.ts";
import { testDatabase } from "./testing/test-database.ts";

const { url, pool } = await testDatabase();
const anotherVersion = otherVersions();
const client = new pg.Client({ connectionString: url });
const other = new pg.Client({ connectionString: url });
await Promise.all([client.connect(), other.connect()]);
afterAll(() => Promise.all([client.end(), other.end()]));

/** Fills in the upper case of each word, as docs/operations/upgrading.md shows. */
const backfill: Backfill = {
  name: "9001_loud.sql",
  sql: example("docs/operations/upgrading.md", "with batch as"),
};

beforeEach(async () => {
  await pool.query("drop table if exists words");
  await pool.query("create table words (id integer primary key, word text not null, loud text)");
  await pool.query("insert into words (id, word) select n, 'word ' || n from generate_series(1, 25) n");
  await pool.query("delete from backfills");
});

const left = async () => Number((await pool.query("select count(*) from words where loud is null")).rows[0].count);
const fill = () => fillBatch(client, backfill, { maxRows: 10 });

test("R2 a backfill goes on from batch to batch, keeps where it is, and ends", async () => {
  expect(await fill()).toEqual({ outcome: "more", rowsSeen: 10 });
  expect(await left()).toBe(15);
  // Another process goes on where this one was.
  expect(await fillBatch(other, backfill, { maxRows: 10 })).toEqual({ outcome: "more", rowsSeen: 20 });
  expect(await fill()).toEqual({ outcome: "more", rowsSeen: 25 });
  expect(await fill()).toEqual({ outcome: "finished", rowsSeen: 25 });
  expect(await left()).toBe(0);
  expect(await fill(), "what is finished stays so").toEqual({ outcome: "finished", rowsSeen: 25 });
});

test("R2 two processes never fill in the same batch, and one waits for no row that traffic has locked", async () => {
  await fill();
  await other.query("begin");
  await other.query("select from backfills for update");
  expect((await fill()).outcome).toBe("busy");
  await other.query("rollback");
  await other.query("begin");
  await other.query("select from words where id = 12 for update");
  expect((await fillBatch(client, backfill, { maxRows: 10, lockMs: 20 })).outcome).toBe("busy");
  await other.query("rollback");
  expect(await fill()).toEqual({ outcome: "more", rowsSeen: 20 });
});

test("R2 a batch that fails names its backfill, and keeps nothing of it", async () => {
  await fill();
  await pool.query("insert into words (id, word, loud) values (26, 'x', null)");
  await pool.query("alter table words add constraint quiet check (loud <> 'WORD 15')");
  await expect(fill()).rejects.toThrow(/^The backfill 9001_loud\.sql failed: .+quiet/);
  expect(await left()).toBe(16);
  await pool.query("alter table words drop constraint quiet");
  expect(await fill()).toEqual({ outcome: "more", rowsSeen: 20 });
});

test("R2 a migration that needs a backfill finishes it first, whatever the workers got to", async () => {
  const next = await anotherVersion();
  await next.write(`backfills/${backfill.name}`, backfill.sql);
  await next.write(
    "migrations/9002_loud.sql",
    "-- Needs backfill 9001_loud.sql\nalter table words alter column loud set not null;",
  );
  await fill();
  const told: string[] = [];
  const { applied } = await migrate(url, next.source, { tell: (line) => told.push(line) });
  expect(applied).toEqual(["9002_loud.sql"]);
  expect(await left()).toBe(0);
  expect(told).toEqual(["Backfill 9001_loud.sql: 25 rows, finished"]);
  await pool.query("delete from schema_migrations where name like '9002%'");

  await next.write("migrations/9002_loud.sql", "-- Needs backfill 9003_nothing.sql\nselect 1;");
  await expect(migrate(url, next.source)).rejects.toThrow("needs the backfill 9003_nothing.sql, which does not exist");
});

test("R2 every backfill of this version runs on its database", async () => {
  for (const one of await readBackfills(thisVersion)) expect((await fillBatch(client, one)).outcome).not.toBe("busy");
});
