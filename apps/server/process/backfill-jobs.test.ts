import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test, vi } from "vitest";
import { startBackfills } from "./backfill-jobs.ts";

const { pool } = await testDatabase();
const logged: [object, string][] = [];
const log = (fields: object, message: string) => void logged.push([fields, message]);
const logger = { info: log, warn: log, error: log };

test("R2 a worker fills in existing rows after an upgrade, one backfill after the other, and says when each is finished", async () => {
  await pool.query("create table words (id integer primary key, loud boolean)");
  await pool.query("insert into words (id) select n from generate_series(1, 2500) n");
  const sql = (
    value: string,
  ) => `with batch as (select id from words where id > coalesce($1::integer, 0) order by id limit $2),
      filled as (update words set loud = ${value} from batch where words.id = batch.id)
    select max(id)::text as next, count(*) as seen from batch`;
  const read = async () => [
    { name: "9001_quiet.sql", sql: sql("false") },
    { name: "9002_loud.sql", sql: sql("true") },
  ];
  // Two workers share the work.
  const jobs = [startBackfills({ pool, logger, read }), startBackfills({ pool, logger, read })];
  const rows = async () =>
    (
      await pool.query(
        "select name, rows_seen::integer as rows from backfills where finished_at is not null order by 1",
      )
    ).rows;
  await vi.waitFor(
    async () =>
      expect(await rows()).toEqual([
        { name: "9001_quiet.sql", rows: 2_500 },
        { name: "9002_loud.sql", rows: 2_500 },
      ]),
    { timeout: 30_000, interval: 20 },
  );
  for (const job of jobs) await job.close();
  expect((await pool.query("select count(*)::integer as count from words where loud")).rows).toEqual([
    { count: 2_500 },
  ]);
  expect(logged).toContainEqual([{ backfill: "9002_loud.sql", rows: 2_500 }, "a backfill is finished"]);
});
